// Segment's library for browsers, unmodified, from another origin. It asks our server for its settings.

import { expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { type Rig, expectArrived, startRig } from "./rig.js";
import { describeInBrowser } from "./browser.js";
import type { Plan } from "./programs/analytics-next.js";
import type { CallMade } from "./programs/call-made.js";

const SETTINGS = { method: "GET", path: "/v1/projects/WRITE_KEY/settings", contentType: undefined };

function call({ page, server }: Rig, plan: Pick<Plan, "batchOf"> = {}): Promise<readonly CallMade[]> {
  return page.run("call", { writeKey: WRITE_KEY, server: server.url, ...plan } satisfies Plan);
}

/** The requests of the page to the server, without the key. */
function askedOf(rig: Rig): readonly object[] {
  return rig.askedOfServer().map((asked) => ({ ...asked, path: asked.path.replace(WRITE_KEY, "WRITE_KEY") }));
}

function post(name: string): object {
  return { method: "POST", path: `/v1/${name}`, contentType: "text/plain" };
}

describeInBrowser("Segment's library for browsers, pointed at the server", (browser) => {
  it("delivers every kind of call, signed, exactly once, each in a separate request", async () => {
    const rig = await startRig(browser(), "analytics-next");
    const messages = await expectArrived(rig, await call(rig));
    expect(messages).toMatchObject([
      { type: "alias", "User ID": "u1", "Previous ID": "old" },
      { type: "identify", userId: "u1", traits: { plan: "pro" } },
      { type: "track", userId: "u1", event: "Signed Up", properties: { price: 1.5 } },
      { type: "page", userId: "u1", category: "Docs", name: "Home", properties: { section: "intro", title: "Home" } },
      { type: "screen", userId: "u1", category: "Docs", name: "Inbox", properties: { unread: 3 } },
      { type: "group", userId: "u1", groupId: "g1", traits: { size: 3 } },
    ]);
    const anonymousIds = new Set(messages.map(({ anonymousId }) => anonymousId));
    expect([...anonymousIds]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    for (const message of messages) expect(message).toMatchObject({ context: { library: { name: "analytics.js" } } });
    const posts = (names: string): readonly object[] => names.split(" ").map(post);
    expect(askedOf(rig)).toEqual([...posts("a g i p"), SETTINGS, ...posts("s t")]);
  });

  it("delivers them in one batch", async () => {
    const rig = await startRig(browser(), "analytics-next");
    await expectArrived(rig, await call(rig, { batchOf: 6 }));
    expect(askedOf(rig)).toEqual([post("b"), SETTINGS]);
  });

  it.each(["leave", "close"] as const)("delivers the calls that wait in a page when users %s it", async (goAway) => {
    const rig = await startRig(browser(), "analytics-next");
    const made = await call(rig, { batchOf: 100 });
    expect(askedOf(rig)).toEqual([SETTINGS]);
    await rig.page[goAway]();
    await expectArrived(rig, made);
  });
});
