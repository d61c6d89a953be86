// Runs in a page: Segment's library for browsers, as it comes from npm.

import { AnalyticsBrowser } from "@segment/analytics-next";
import type { CallMade } from "./call-made.js";

export interface Plan {
  readonly writeKey: string;
  /** The URL of its settings, which contain the URL for calls. */
  readonly server: string;
  /** The number of calls in a batch; if absent, each call is sent separately. */
  readonly batchOf?: number;
}

/** Longer than a test, so that a batch that is not full waits until its page goes away. */
const NEVER_MS = 600_000;

/** Makes a call of each kind; resolves once the library has taken them all. */
export async function call({ writeKey, server, batchOf }: Plan): Promise<readonly CallMade[]> {
  const batching = { strategy: "batching", config: { size: batchOf ?? 1, timeout: NEVER_MS } } as const;
  const settings = { protocol: "http", ...(batchOf === undefined ? {} : { deliveryStrategy: batching }) } as const;
  const analytics = AnalyticsBrowser.load({ writeKey, cdnURL: server }, { integrations: { "Segment.io": settings } });
  const contexts = await Promise.all([
    // The first call, since the library would otherwise use the user that it knows already in place of the given one.
    analytics.alias("u1", "old"),
    analytics.identify("u1", { plan: "pro" }),
    analytics.track("Signed Up", { price: 1.5 }),
    analytics.page("Docs", "Home", { section: "intro" }),
    analytics.screen("Docs", "Inbox", { unread: 3 }),
    analytics.group("g1", { size: 3 }),
  ]);
  return contexts.map(({ event: { type, messageId } }) => ({ type, messageId: String(messageId) }));
}
