// What may be wrong with a config file, and how it is told: to a person as a line, to the log as an error each.

import type { ProblemCode } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { MAX_PROBLEMS_TOLD } from "./limits.js";

export interface ConfigProblem {
  readonly code: ProblemCode | "unreadable" | "bad-json" | "bad-range" | "bad-certificate";
  /** From the root of the config; empty if it is the file as a whole. */
  readonly path: string;
  readonly expected: string;
}

/** An error in the log for each, as far as anyone reads. */
export function logProblems(problems: readonly ConfigProblem[], file: string, logger: Logger): void {
  for (const detail of describeProblems(problems, file)) logger.log("error", { code: "config-refused", detail });
}

/** A line for each problem, as far as anyone reads; the last one says how many more there are. */
export function describeProblems(problems: readonly ConfigProblem[], file: string): readonly string[] {
  const told = problems.slice(0, MAX_PROBLEMS_TOLD).map((problem) => describeProblem(problem, file));
  const more = problems.length - told.length;
  return more === 0 ? told : [...told, `${file}: ${String(more)} more problems are not shown`];
}

/** `destinations[0].id: expected an id (empty-id)`. */
export function describeProblem({ path, expected, code }: ConfigProblem, file: string): string {
  return `${path === "" ? file : path}: expected ${expected} (${code})`;
}
