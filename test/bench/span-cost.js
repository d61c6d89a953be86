// What a span costs the call that it is of: CPU of `accept` over a relay that does nothing, with and without tracing, in one process.
// `node span-cost.js SHARE`: SHARE of the calls are recorded. Prints microseconds of a call.

import { createDeliverySampler, createTracing } from "@postrider/relay/metrics";
import { countSpans, sharedSampler } from "../programs/opentelemetry/record-spans.js";

const CALLS = 300_000;
/** Calls after which other work of the process has a turn, such as the export of spans. */
const CALLS_PER_TURN = 1_000;

const [, , share] = process.argv;
const host = countSpans(createDeliverySampler(sharedSampler(Number(share))));
const bare = { accept: () => ({ match: () => Promise.resolve() }) };
const traced = createTracing(host.opentelemetry).wrap(bare);
// The first round is for the compiler.
await measure(traced);
console.log(JSON.stringify({ bare: await measure(bare), traced: await measure(traced) }));
await host.stop();

async function measure(relay) {
  const arrival = { source: "site", calls: [{ type: "track" }] };
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) {
    relay.accept(arrival);
    if (call % CALLS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
