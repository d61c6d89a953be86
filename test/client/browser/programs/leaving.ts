// Runs in a page that is left: calls that wait in the queue, or for another try.

import { createClient, type FlushReport } from "@postrider/client";

export interface LeavingPlan {
  readonly writeKey: string;
  readonly endpoint: string;
  readonly calls: number;
}

let client: ReturnType<typeof createClient> | undefined;

/** Makes calls that nothing sends for a minute. */
export function makeCalls({ writeKey, endpoint, calls }: LeavingPlan): void {
  client ??= createClient(writeKey, { endpoint, flushAt: 2_500, flushAfterMs: 60_000 });
  for (let made = 0; made < calls; made += 1) client.track({ userId: "u1", event: "Left", properties: { made } });
}

/** What becomes of the calls in a page that goes on. */
export async function flush(): Promise<FlushReport | undefined> {
  return client?.flush();
}
