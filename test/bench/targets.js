// What the benchmarks are to reach. Each target names the figure of a round that it is compared with; it knows nothing of how that is
// measured. A gate is a target that is judged by cost, which other programs change less than throughput.

/** `figure` names a function of report/figures.js, and `variant` the circumstances, of those in cost/variants.js. */
export const TARGETS = [
  atMost("S/B, batches of 20", 4, { figure: "costRatio", variant: "batches of 20", isGate: true }),
  atMost("S/B, single calls", 7.5, { figure: "costRatio", variant: "single calls", isGate: true }),
  atLeast("durable / bare", 0.32, { figure: "bareRatio", variant: "batches of 20" }),
  atLeast("durable / the best composition on Node", 8, { figure: "peerRatio" }),
  atLeast("durable / bare, TLS", 0.28, { figure: "bareRatio", variant: "TLS" }),
  atMost("request to 200 at 1,000 calls a second, p50, ms", 1, { figure: "answerP50" }),
  atMost("request to 200 at 1,000 calls a second, p99, ms", 8, { figure: "answerP99" }),
  atMost("event loop late at full load, p99, ms", 8, { figure: "loopP99", variant: "batches of 20" }),
  atLeast("share of the ceiling, receivers of 100 ms", 0.8, { figure: "ceilingShare", variant: "receivers of 100 ms" }),
  atMost("p99 beside one that hangs / all well", 1.05, { figure: "isolation" }),
  atLeast("throughput beside 10,000,000 waiting / 10,000", 1.08, { figure: "waiting" }),
  atLeast("throughput to 10,000 destinations / one", 0.86, { figure: "destinations" }),
];

/** What share of the cores is in use, by which the formula predicts a ratio: fitted once, and assumed of what overlaps better. */
export const USED_SHARES = [0.74, 0.9];

function atMost(what, asked, others) {
  return { what, asked, isAtMost: true, isGate: false, ...others };
}

function atLeast(what, asked, others) {
  return { what, asked, isAtMost: false, isGate: false, ...others };
}
