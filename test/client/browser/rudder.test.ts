// RudderStack's library for browsers, unmodified, from another origin. It puts the traits of a user into the context.

import { expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { type Rig, expectArrived, startRig } from "./rig.js";
import { describeInBrowser } from "./browser.js";
import type { CallMade } from "./programs/call-made.js";
import type { Plan } from "./programs/rudder.js";

/** Longer than a test. */
const NEVER_MS = 600_000;

function call({ page, server }: Rig, options: Plan["options"] = {}): Promise<readonly CallMade[]> {
  return page.run("call", { writeKey: WRITE_KEY, server: server.url, options } satisfies Plan);
}

function post(name: string): object {
  return { method: "POST", path: `/v1/${name}`, contentType: "application/json;charset=UTF-8" };
}

describeInBrowser("RudderStack's library for browsers, pointed at the server", (browser) => {
  it("delivers every kind of call, signed, exactly once, each in a separate request", async () => {
    const rig = await startRig(browser(), "rudder");
    const messages = await expectArrived(rig, await call(rig));
    expect(messages).toMatchObject([
      { type: "identify", userId: "u1", context: { traits: { plan: "pro" } } },
      { type: "track", userId: "u1", event: "Signed Up", properties: { price: 1.5 } },
      { type: "page", userId: "u1", category: "Docs", name: "Home", properties: { section: "intro", title: "Home" } },
      { type: "group", userId: "u1", groupId: "g1", traits: { size: 3 } },
      { type: "alias", "User ID": "u2", "Previous ID": "u1" },
    ]);
    expect(rig.askedOfServer()).toEqual(["alias", "group", "identify", "page", "track"].map(post));
  });

  it("delivers them in one batch", async () => {
    const rig = await startRig(browser(), "rudder");
    const batch = { enabled: true, maxItems: 5, flushInterval: NEVER_MS };
    await expectArrived(rig, await call(rig, { queueOptions: { batch } }));
    expect(rig.askedOfServer()).toEqual([post("batch")]);
  });

  it.each(["leave", "close"] as const)("delivers the calls that wait in a page when users %s it", async (goAway) => {
    const rig = await startRig(browser(), "rudder");
    const made = await call(rig, { useBeacon: true, beaconQueueOptions: { flushQueueInterval: NEVER_MS } });
    expect(rig.askedOfServer()).toEqual([]);
    await rig.page[goAway]();
    await expectArrived(rig, made);
  });
});
