// Segment's library for browsers, unmodified, from another origin. It asks our server for its settings.

import { expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { type Bench, expectArrived, startBench } from "./rig.js";
import { describeInBrowser } from "./browser.js";
import type { Plan } from "./programs/analytics-next.js";
import type { CallMade } from "./programs/call-made.js";

const SETTINGS = { method: "GET", path: "/v1/projects/WRITE_KEY/settings", contentType: undefined };

function call({ page, server }: Bench, plan: Pick<Plan, "batchOf"> = {}): Promise<readonly CallMade[]> {
  return page.run("call", { writeKey: WRITE_KEY, server: server.url, ...plan } satisfies Plan);
}

/** The requests of the page to the server, without the key. */
function askedOf(bench: Bench): readonly object[] {
  return bench.askedOfServer().map((asked) => ({ ...asked, path: asked.path.replace(WRITE_KEY, "WRITE_KEY") }));
}

function post(name: string): object {
  return { method: "POST", path: `/v1/${name}`, contentType: "text/plain" };
}

describeInBrowser("Segment's library for browsers, pointed at the server", (browser) => {
  it("delivers every kind of call, signed, exactly once, each in a separate request", async () => {
    const bench = await startBench(browser(), "analytics-next");
    const messages = await expectArrived(bench, await call(bench));
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
    expect(askedOf(bench)).toEqual([...posts("a g i p"), SETTINGS, ...posts("s t")]);
  });

  it("delivers them in one batch", async () => {
    const bench = await startBench(browser(), "analytics-next");
    await expectArrived(bench, await call(bench, { batchOf: 6 }));
    expect(askedOf(bench)).toEqual([post("b"), SETTINGS]);
  });

  it.each(["leave", "close"] as const)("delivers the calls that wait in a page when users %s it", async (goAway) => {
    const bench = await startBench(browser(), "analytics-next");
    const made = await call(bench, { batchOf: 100 });
    expect(askedOf(bench)).toEqual([SETTINGS]);
    await bench.page[goAway]();
    await expectArrived(bench, made);
  });
});
