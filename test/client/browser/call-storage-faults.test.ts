// The storage of a browser where something is wrong with the browser, its room or its locks: nothing is thrown, and calls are sent.

import { expect, it } from "vitest";
import { describeInBrowser } from "./browser.js";
import type { CallMade } from "./programs/call-made.js";
import { expectArrived, type Rig, startRig } from "./rig.js";
import { namesOf, startClient } from "./stored-client.js";

const BEFORE = [
  "that is absent",
  "that is blocked",
  "whose database is of a newer version",
  "whose database has other tables",
  "that does not answer",
];

function call({ page }: Rig, count: number): Promise<readonly CallMade[]> {
  return page.run("call", count);
}

describeInBrowser("a client in a browser", (browser) => {
  it.each(BEFORE)("with an IndexedDB %s says that calls are not kept, and sends them", async (fault) => {
    const rig = await startRig(browser(), "call-storage-faults");
    await rig.page.run("spoil", fault);
    await startClient(rig, { flushAt: 1 });
    const made = await call(rig, 3);
    expect(await rig.page.run("keptInTime", undefined)).toBe(false);
    await expectArrived(rig, made);
    expect(rig.page.errors).toEqual([]);
  });

  it("With an IndexedDB that does not answer once, keeps calls after it has asked again", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    await rig.page.run("spoil", "that does not answer once");
    await startClient(rig);
    const made = await call(rig, 3);
    const kept = rig.page.run("kept", undefined);
    await rig.page.run("look", undefined);
    expect(await kept).toBe(true);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 3, pending: 0 });
    await expectArrived(rig, made);
  });

  it("With no room left for its database, says that calls are not kept, and sends them", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    await startClient(rig, { flushAt: 1 });
    const session = await rig.page.context.newCDPSession(rig.page.context.pages()[0]!);
    await session.send("Storage.overrideQuotaForOrigin", { origin: rig.page.site, quotaSize: 1 });
    expect(await rig.page.run("keep", ["m1"])).toBe("full");
    const made = await call(rig, 3);
    expect(await rig.page.run("kept", undefined)).toBe(false);
    await expectArrived(rig, made);
    expect(rig.page.errors).toEqual([]);
  });

  it.each(["deleted", "closed without an event"])(
    "With a database that is %s meanwhile, keeps further calls",
    async (fault) => {
      const rig = await startRig(browser(), "call-storage-faults");
      const { sent } = await startClient(rig);
      const first = await call(rig, 5);
      expect(await rig.page.run("kept", undefined)).toBe(true);
      await rig.page.run("spoil", fault);
      const made = [...first, ...(await rig.page.run<readonly CallMade[]>("callKept", 5))];
      expect(made).toHaveLength(10);
      expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 10, pending: 0 });
      await expectArrived(rig, made);
      expect(sent.toSorted()).toEqual(namesOf(made));
      expect(rig.page.errors).toEqual([]);
    },
  );

  it("With locks that were stolen, stores calls under a new lock, and takes back what it had", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    const { sent } = await startClient(rig);
    const first = await call(rig, 5);
    expect(await rig.page.run("kept", undefined)).toBe(true);
    await rig.page.run("spoil", "stolen");
    const made = [...first, ...(await call(rig, 5))];
    expect(await rig.page.run("kept", undefined)).toBe(true);
    await rig.page.run("look", undefined);
    await expect.poll(() => rig.page.run("locks", undefined)).toBe(2);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 10, pending: 0 });
    await expectArrived(rig, made);
    expect(sent.toSorted()).toEqual(namesOf(made));
  });

  it("Without Web Locks, sends what it finds, and the server takes it once", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    await rig.page.run("spoil", "no locks");
    const { start } = await startClient(rig);
    const made = await call(rig, 5);
    expect(await rig.page.run("kept", undefined)).toBe(true);
    const other = await rig.page.openTab();
    await other.run("spoil", "no locks");
    await start(other);
    expect(await other.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
    await expect.poll(() => rig.receiver.requests.length).toBe(5);
    await rig.page.reload();
    await start(rig.page);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 0, pending: 0 });
    expect(rig.receiver.requests.map(({ message }) => message["messageId"]).toSorted()).toEqual(namesOf(made));
  });

  it("After its storage was closed, leaves its calls to the next one of the page", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    const { start } = await startClient(rig);
    const made = await call(rig, 5);
    expect(await rig.page.run("kept", undefined)).toBe(true);
    expect(await rig.page.run("closeStorage", undefined)).toEqual(["unavailable", "unavailable"]);
    await start(rig.page);
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 5, pending: 0 });
    await expectArrived(rig, made);
  });

  it("With two storages on one database, keeps no more calls than one may, and has room again", async () => {
    const rig = await startRig(browser(), "call-storage-faults");
    await startClient(rig, { maxCalls: 5 });
    const made = await call(rig, 3);
    expect(await rig.page.run("kept", undefined)).toBe(true);
    expect(await rig.page.run("keep", ["m1", "m2"])).toBe("2");
    expect(await rig.page.run("keep", ["m3"])).toBe("full");
    expect(await rig.page.run("flush", undefined)).toMatchObject({ delivered: 3, pending: 0 });
    expect(await rig.page.run("kept", undefined)).toBe(true);
    expect(await rig.page.run("keep", ["m3"])).toBe("1");
    await expectArrived(rig, made);
  });

  it("With two storages that keep the same call, leaves it to the second one when the first one drops it", async () => {
    const { page } = await startRig(browser(), "call-storage-faults");
    const calls = [{ messageId: "m1", type: "track", json: "{}" }];
    expect(await page.run("keepTwice", undefined)).toEqual([1, 0, { calls, stored: 1 }]);
  });
});
