// Runs in a page: RudderStack's library for browsers, as it comes from npm, in the build that has its plugins with it.

import { type ApiCallback, type LoadOptions, RudderAnalytics } from "@rudderstack/analytics-js/bundled";
import type { CallMade } from "./call-made.js";

export interface Plan {
  readonly writeKey: string;
  /** Where calls go. */
  readonly server: string;
  /** The library's own. */
  readonly options: Partial<LoadOptions>;
}

/** The answer that the library expects from its vendor, for a source without destinations. */
const SOURCE = { id: "s", name: "s", writeKey: "s", enabled: true, workspaceId: "w", destinations: [], config: {} };

/** Makes a call of each kind that it has; resolves once the library has taken them all. */
export async function call({ writeKey, server, options }: Plan): Promise<readonly CallMade[]> {
  const rudder = new RudderAnalytics();
  rudder.load(writeKey, server, { getSourceConfig: () => ({ source: SOURCE }), ...options });
  return Promise.all([
    taken((done) => rudder.identify("u1", { plan: "pro" }, done)),
    taken((done) => rudder.track("Signed Up", { price: 1.5 }, done)),
    taken((done) => rudder.page("Docs", "Home", { section: "intro" }, done)),
    taken((done) => rudder.group("g1", { size: 3 }, done)),
    taken((done) => rudder.alias("u2", "u1", done)),
  ]);
}

function taken(make: (done: ApiCallback) => void): Promise<CallMade> {
  return new Promise((resolve) => {
    make(({ type, messageId }: CallMade) => resolve({ type, messageId }));
  });
}
