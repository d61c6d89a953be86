// Segment's own library for Node, as its users have it: makes a call of each kind, and ends. The environment names the
// authorities that it trusts. Errors are written as lines of JSON.

import { Analytics } from "@segment/analytics-node";

const [host = "", writeKey = ""] = process.argv.slice(2);
const analytics = new Analytics({ host, writeKey, maxRetries: 0 });
analytics.on("error", ({ code, reason }) => console.log(JSON.stringify({ code, reason: String(reason) })));
analytics.identify({ userId: "u1", traits: { plan: "pro" } });
analytics.track({ userId: "u1", event: "Signed Up" });
analytics.page({ userId: "u1", name: "Home" });
analytics.screen({ anonymousId: "a1", name: "Inbox" });
analytics.group({ userId: "u1", groupId: "g1" });
analytics.alias({ userId: "u1", previousId: "a1" });
await analytics.closeAndFlush({ timeout: 60_000 });
