// What may be wrong with a config file, and how it is told: to a person as a line, to the log as an error each.

import type { ProblemCode } from "@postrider/core";
import type { Logger } from "@postrider/relay";

export interface ConfigProblem {
  readonly code: ProblemCode | "unreadable" | "bad-json" | "bad-range" | "bad-certificate";
  /** From the root of the config; empty if it is the file as a whole. */
  readonly path: string;
  readonly expected: string;
}

/** An error in the log for each. */
export function logProblems(problems: readonly ConfigProblem[], file: string, logger: Logger): void {
  for (const problem of problems) {
    logger.log("error", { code: "config-refused", detail: describeProblem(problem, file) });
  }
}

/** `destinations[0].id: expected an id (empty-id)`. */
export function describeProblem({ path, expected, code }: ConfigProblem, file: string): string {
  return `${path === "" ? file : path}: expected ${expected} (${code})`;
}
