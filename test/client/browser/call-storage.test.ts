// The storage of a browser in a real one: the contract of the port, tabs that share it, and tabs that go away.

import { callStorageContract } from "@postrider/testkit/contracts";
import { expect, it } from "vitest";
import { describeInBrowser } from "./browser.js";
import { openPage } from "./open-page.js";
import type { CallMade } from "./programs/call-made.js";
import { expectArrived, startRig } from "./rig.js";
import { namesOf, startClient } from "./stored-client.js";

const CONTRACT = callStorageContract({ open: () => Promise.reject(new Error("unused")), supports: { restart: true } });

describeInBrowser("the contract of a call storage, in a browser", (browser) => {
  for (const { name } of CONTRACT) {
    it(name, async () => {
      const page = await openPage(browser(), "call-storage");
      await page.run("play", name);
      expect(page.errors).toEqual([]);
    });
  }
});

describeInBrowser("a client on the storage of a browser", (browser) => {
  it("With two tabs that make calls and a third one that opens meanwhile, sends each call once", async () => {
    const rig = await startRig(browser(), "call-storage");
    const { sent, start } = await startClient(rig, { flushAt: 20 });
    const other = await rig.page.openTab();
    await start(other);
    const making = [rig.page, other].map((page) => page.run<readonly CallMade[]>("callSlowly", 200));
    const third = await rig.page.openTab();
    await start(third);
    const made = (await Promise.all(making)).flat();
    for (const page of [third, rig.page, other]) {
      await page.run("look", undefined);
      expect(await page.run("flush", undefined)).toMatchObject({ failed: 0, pending: 0 });
    }
    await expectArrived(rig, made);
    expect(sent.toSorted()).toEqual(namesOf(made));
    for (const page of [rig.page, other, third]) expect(await page.run("backlog", undefined)).toBe(0);
  });

  it.each(["close", "crash"] as const)(
    "With two tabs of which one ends by %s, the other one sends all",
    async (end) => {
      const rig = await startRig(browser(), "call-storage");
      const { sent, start } = await startClient(rig);
      const other = await rig.page.openTab();
      await start(other);
      const made = [
        ...(await rig.page.run<readonly CallMade[]>("call", 30)),
        ...(await other.run<readonly CallMade[]>("call", 20)),
      ];
      expect(await Promise.all([rig.page.run("kept", undefined), other.run("kept", undefined)])).toEqual([true, true]);
      await other.run("look", undefined);
      expect(await other.run("backlog", undefined)).toBe(20);
      await rig.page[end]();
      await expect.poll(() => other.run("locks", undefined)).toBe(1);
      await other.run("look", undefined);
      await expect.poll(() => other.run("backlog", undefined)).toBe(50);
      expect(await other.run("flush", undefined)).toMatchObject({ delivered: 50, pending: 0 });
      await expectArrived(rig, made);
      expect(sent.toSorted()).toEqual(namesOf(made));
    },
  );

  it.each([1, 20, 500])("With %i calls that wait, a page that is loaded again sends them, once each", async (count) => {
    const rig = await startRig(browser(), "call-storage");
    const { sent, start } = await startClient(rig);
    const made = await rig.page.run<readonly CallMade[]>("call", count);
    expect(await rig.page.run("kept", undefined)).toBe(true);
    await rig.page.reload();
    await start(rig.page);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: count, failed: 0, pending: 0 });
    await expectArrived(rig, made);
    expect(sent.toSorted()).toEqual(namesOf(made));
  });
});

describeInBrowser("a client that is sending on the storage of a browser", (browser) => {
  it("loses no call that was kept when its page is loaded again", async () => {
    const rig = await startRig(browser(), "call-storage");
    const { start } = await startClient(rig, { flushAt: 20 });
    const keptSlowly = (): Promise<readonly CallMade[]> => rig.page.run("keptSlowly", undefined);
    const calling = rig.page.run("callSlowly", 100_000).catch(() => undefined);
    await expect.poll(async () => (await keptSlowly()).length).toBeGreaterThan(100);
    await rig.page.reload();
    await calling;
    const made = await keptSlowly();
    await start(rig.page);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ failed: 0, pending: 0 });
    expect(await rig.page.run("backlog", undefined)).toBe(0);
    await expect.poll(() => rig.receiver.requests.length).toBeGreaterThanOrEqual(made.length);
    const arrived = rig.receiver.requests.map(({ message }) => message["messageId"]);
    expect(arrived).toEqual(expect.arrayContaining([...namesOf(made)]));
    expect(new Set(arrived).size).toBe(arrived.length);
  });
});

describeInBrowser(
  "a client in a browser that keeps the pages one has left",
  (browser) => {
    it("With calls that wait, the next page sends them, and the page that one goes back to is loaded anew", async () => {
      const rig = await startRig(browser(), "call-storage");
      const { sent, start } = await startClient(rig);
      const made = await rig.page.run<readonly CallMade[]>("call", 20);
      expect(await rig.page.run("kept", undefined)).toBe(true);
      await rig.page.visit();
      await start(rig.page);
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 20, pending: 0 });
      expect(await rig.page.back()).toBe(false);
      await start(rig.page);
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 0, pending: 0 });
      await expectArrived(rig, made);
      expect(sent.toSorted()).toEqual(namesOf(made));
    });

    it("With no calls that wait, the page that one goes back to is as it was, and goes on", async () => {
      const rig = await startRig(browser(), "call-storage");
      const { sent, start } = await startClient(rig);
      const made = [...(await rig.page.run<readonly CallMade[]>("call", 5))];
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
      await rig.page.visit();
      await start(rig.page);
      made.push(...(await rig.page.run<readonly CallMade[]>("call", 5)));
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
      expect(await rig.page.back()).toBe(true);
      made.push(...(await rig.page.run<readonly CallMade[]>("call", 5)));
      expect(await rig.page.run("kept", undefined)).toBe(true);
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
      await expectArrived(rig, made);
      expect(sent.toSorted()).toEqual(namesOf(made));
    });
  },
  ["--disable-back-forward-cache"],
);
