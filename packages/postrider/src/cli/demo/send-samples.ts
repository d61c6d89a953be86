// Makes the demo's calls as any caller would: over HTTP, one after another.

import { writeKeyHeader } from "../requests/write-key-header.js";
import type { Host } from "../host.js";
import { sendJson } from "../requests/send-json.js";
import type { Arrivals } from "./arrivals.js";
import { DEMO_WRITE_KEY } from "./demo-config.js";
import { SAMPLE_CALLS } from "./sample-calls.js";

/** Resolves once all calls are answered. Reports calls that were not accepted on standard error. */
export async function sendSamples(host: Host, url: string, arrivals: Arrivals): Promise<void> {
  for (const { kind, messageId, call } of SAMPLE_CALLS) {
    arrivals.expect(messageId, kind);
    const posted = await sendJson({
      url: `${url}/v1/${kind}`,
      authorization: writeKeyHeader(DEMO_WRITE_KEY),
      body: call,
      clock: host.clock,
    });
    if (posted.kind === "unreachable") host.err(`postrider: ${posted.reason}`);
    else if (posted.status !== 200) host.err(`postrider: ${kind} was answered ${String(posted.status)} ${posted.text}`);
  }
}
