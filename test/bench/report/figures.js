// The figures that targets are compared with, taken from the results of benchmarks: one value a round, or undefined if nothing that ran
// has it.

import { REFERENCE, VARIANTS } from "../cost/variants.js";
import { ceilingShares } from "./cost.js";
import { rateOf, ratiosOf, serverCpu } from "./tables.js";
import { BARE, bestPeer, fastestBareOf } from "./throughput.js";

export const FIGURES = {
  costRatio: (results, { variant }) => ratios(armsIn(results, variant), ["ours", BARE], serverCpu),
  bareRatio(results, { variant }) {
    const found = armsIn(results, variant);
    return found && ratios(found, ["ours", fastestBareOf(found)], rateOf);
  },
  peerRatio: ({ throughput }) => throughput && ratios(throughput, ["ours", bestPeer(throughput)], rateOf),
  answerP50: ({ latency }) => values(latency, "ours", ({ toAnswer }) => toAnswer.p50),
  answerP99: ({ latency }) => values(latency, "ours", ({ toAnswer }) => toAnswer.p99),
  loopP99: (results, { variant }) => values(armsIn(results, variant), "ours", ({ loopDelayMs }) => loopDelayMs.p99),
  ceilingShare: ({ cost }, { variant }) =>
    armsOf(cost, variant)?.arms.includes("ours") === true
      ? ceilingShares(
          VARIANTS.find(({ name }) => name === variant),
          cost.rounds,
        )
      : undefined,
  isolation: ({ isolation }) => ratios(isolation, ["one hangs", "all well"], ({ whole }) => whole.p99),
  waiting: ({ scale }) => ratios(scale?.waiting, ["10000000", "10000"], rateOf),
  destinations: ({ scale }) => ratios(scale?.destinations, ["10000", "1"], rateOf),
};

/** The benchmark of throughput has the reference too, in more rounds of its arms. */
function armsIn({ throughput, cost }, variant) {
  return variant === REFERENCE && throughput !== undefined ? throughput : armsOf(cost, variant);
}

function armsOf(cost, variant) {
  if (cost === undefined || cost.rounds.some((round) => round[variant] === undefined)) return undefined;
  const rounds = cost.rounds.map((round) => round[variant]);
  return { arms: Object.keys(rounds[0]), rounds };
}

function ratios(found, pair, pick) {
  if (found === undefined || !pair.every((name) => found.arms.includes(name))) return undefined;
  return ratiosOf(found.rounds, pair, pick);
}

function values(found, name, pick) {
  if (found === undefined || !found.arms.includes(name)) return undefined;
  return found.rounds.map((round) => pick(round[name]));
}
