// The table at the end: what is asked, what is so now, and whether it is met. A target is judged by its median.

import { quantile, rangeText } from "../statistics.js";
import { TARGETS } from "../targets.js";
import { FIGURES } from "./figures.js";
import { table } from "./tables.js";

/** Each target with its values: none if what it needs was not run. */
export function judgeTargets(results) {
  return TARGETS.map((target) => {
    const values = FIGURES[target.figure](results, target) ?? [];
    const isRun = values.length > 0 && values.every(Number.isFinite);
    return { ...target, values: isRun ? values : [], isMet: isRun && isMet(target, quantile(values, 0.5)) };
  });
}

export function targetTable(judged) {
  const rows = judged.map(({ what, asked, isAtMost, isGate, values, isMet: met }) => [
    isGate ? `${what} (gate)` : what,
    values.length === 0 ? "not run" : rangeText(values, 2),
    `at ${isAtMost ? "most" : "least"} ${asked}`,
    values.length === 0 ? "" : met ? "met" : "MISSED",
  ]);
  return table(["what", "now (median, least to most)", "asked", ""], rows);
}

/** The gates that ran and are missed. */
export function missedGates(judged) {
  return judged.filter(({ isGate, isMet: met, values }) => isGate && values.length > 0 && !met);
}

function isMet({ asked, isAtMost }, value) {
  return isAtMost ? value <= asked : value >= asked;
}
