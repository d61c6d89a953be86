// The problems of a config file, and how they are reported: as lines for a person, or as errors in the log.

import type { ProblemCode } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { MAX_PROBLEMS_SHOWN } from "./limits.js";

/** An error in a config: a code, the path, and what was expected. Never the value. */
export interface ConfigProblem {
  /** A stable code. */
  readonly code: ProblemCode | "unreadable" | "bad-json" | "bad-certificate";
  /** From the root of the config; empty for the file as a whole. */
  readonly path: string;
  /** A correct value, in words. */
  readonly expected: string;
}

/** Logs an error for each problem, up to `MAX_PROBLEMS_SHOWN`. */
export function logProblems(problems: readonly ConfigProblem[], file: string, logger: Logger): void {
  for (const detail of describeProblems(problems, file)) logger.log("error", { code: "config-refused", detail });
}

/** A line for each problem, up to `MAX_PROBLEMS_SHOWN`; the last line has the number of the others. */
export function describeProblems(problems: readonly ConfigProblem[], file: string): readonly string[] {
  const lines = problems.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => describeProblem(problem, file));
  const more = problems.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `${file}: ${more === 1 ? "1 more problem is" : `${String(more)} more problems are`} not shown`];
}

/** `destinations[0].id: expected an id (empty-id)`. */
export function describeProblem({ path, expected, code }: ConfigProblem, file: string): string {
  return `${path === "" ? file : path}: expected ${expected} (${code})`;
}
