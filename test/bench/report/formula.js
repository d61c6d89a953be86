// What ratio of throughput the costs of a call allow on cores that server, receiver and callers share: docs/benchmarks.md explains it.
// It predicts; what was measured is shown beside it.

import { CORES } from "../settings.js";
import { quantile } from "../statistics.js";
import { USED_SHARES } from "../targets.js";
import { serverCpu, table } from "./tables.js";

/** The table for an arm beside a bare loop. */
export function formulaTable({ rounds, ours, bare }) {
  const median = (pick) => quantile(rounds.map(pick), 0.5);
  const costs = {
    S: median((round) => serverCpu(round[ours])),
    B: median((round) => serverCpu(round[bare])),
    R: median((round) => round[ours].cpuUs.receiver),
    C: median((round) => round[ours].cpuUs.callers),
    M: median((round) => round[ours].cpuUs.busiest ?? NaN),
  };
  const measured = median((round) => round[ours].postsPerSecond / round[bare].postsPerSecond);
  const used = median((round) => usedShareOf(round[ours]));
  const rows = [
    ...Object.entries(costs).map(([name, us]) => [`${name}, µs`, us.toFixed(1)]),
    [`U, the used share of ${CORES} cores`, used.toFixed(2)],
    ["ratio, measured", measured.toFixed(2)],
    ...USED_SHARES.map((share) => [`ratio, by the formula with U ${share}`, ratioOf(costs, share).toFixed(2)]),
    ["ratio, with cores enough: B / M", (costs.B / costs.M).toFixed(2)],
  ];
  return table(["formula", "median"], rows);
}

/** min(1 / M, K · U / (S + R + C)) beside a bare loop whose one thread is busy throughout: 1 / B. */
export function ratioOf({ S, B, R, C, M }, usedShare, cores = CORES) {
  return B * Math.min(1 / M, (cores * usedShare) / (S + R + C));
}

function usedShareOf({ postsPerSecond, cpuUs }) {
  const us = cpuUs.process + cpuUs.servers + cpuUs.receiver + cpuUs.callers;
  return (us * postsPerSecond) / 1e6 / CORES;
}
