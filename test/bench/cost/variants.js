// The circumstances in which the cost of a call is measured, as data: how calls come in, how long they are, how the receiver answers, and
// what else the machine does. It knows no programs.

import { MAX_LANE_IN_FLIGHT } from "@postrider/core/engine";

/** The name of what the others are compared with, which is what the benchmark of throughput measures too. */
export const REFERENCE = "batches of 20";

/**
 * `batch`, `isSingle`, `callers` and `bodyBytes` are of the calls; `isSecure`, `answer` and `delayMs` of the receiver; `neighbours` are
 * busy programs beside. What is absent is as in the reference. A bare loop runs beside each, unless the receiver takes time.
 */
export const VARIANTS = [
  { name: REFERENCE },
  { name: "single calls", batch: 1, isSingle: true, callers: 64 },
  { name: "batches of 1", batch: 1, isSingle: false },
  { name: "batches of 5", batch: 5 },
  { name: "batches of 100", batch: 100 },
  { name: "TLS", isSecure: true },
  { name: "3 KB", bodyBytes: 3_000 },
  // A request may have 512,000 bytes.
  { name: "30 KB in batches of 10", bodyBytes: 30_000, batch: 10 },
  { name: "answers of Express", answer: "express" },
  { name: "two busy loops beside", neighbours: 2 },
  { name: "receivers of 50 ms", delayMs: 50 },
  { name: "receivers of 100 ms", delayMs: 100 },
  { name: "receivers of 200 ms", delayMs: 200 },
];

/** What the slots of one lane allow a second if the receiver takes this long. */
export function ceilingOf({ delayMs }) {
  return (MAX_LANE_IN_FLIGHT * 1_000) / delayMs;
}
