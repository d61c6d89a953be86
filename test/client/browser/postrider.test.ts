// Our own client in a page, from another origin: its timers, its fetch, its zipping.

import { expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { expectArrived, startRig } from "./rig.js";
import { describeInBrowser } from "./browser.js";
import type { Called, Plan } from "./programs/postrider.js";

const BATCH = { method: "POST", path: "/v1/batch", contentType: "application/json" };

describeInBrowser("our client in a page, pointed at the server", (browser) => {
  it.each([{ gzip: false }, { gzip: true }])("delivers every kind of call, signed, once: %j", async ({ gzip }) => {
    const rig = await startRig(browser(), "postrider");
    const plan: Plan = { writeKey: WRITE_KEY, options: { endpoint: rig.server.url, gzip } };
    const { made, flushed, undelivered } = await rig.page.run<Called>("call", plan);
    expect(flushed).toEqual({ delivered: 6, failed: 0, pending: 0 });
    expect(undelivered).toBe(0);
    expect(await expectArrived(rig, made)).toMatchObject([
      { type: "identify", userId: "u1", traits: { plan: "pro" } },
      { type: "track", userId: "u1", event: "Signed Up", properties: { price: 1.5 } },
      { type: "page", userId: "u1", name: "Home", properties: { url: `${rig.page.site}/` } },
      { type: "screen", anonymousId: "a1", name: "Inbox" },
      { type: "group", userId: "u1", groupId: "g1", traits: { size: 3 } },
      { type: "alias", "User ID": "u1", "Previous ID": "a1" },
      { type: "track", userId: "u1", event: "Left" },
    ]);
    const encoding = gzip ? "gzip" : undefined;
    expect(rig.askedOfServer()).toMatchObject([
      { ...BATCH, encoding },
      { ...BATCH, encoding },
    ]);
  });

  it("sends calls by its own timers, and gets the outcome of a call", async () => {
    const rig = await startRig(browser(), "postrider");
    const options = { endpoint: rig.server.url, flushAfterMs: 20 };
    const run = (writeKey: string) => rig.page.run<object>("callAndWait", { writeKey, options } satisfies Plan);
    expect(await run(WRITE_KEY)).toMatchObject({ kind: "delivered", type: "track" });
    expect(await run("wrong")).toMatchObject({ kind: "failed", reason: "refused", code: "unknown-key" });
  });
});
