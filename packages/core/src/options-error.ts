// The error that every function with options throws: all problems of the options, each with its path. It is thrown, since a
// program with wrong options must be changed; later failures are returned as results, not thrown (docs/errors.md).

import { DOCS_URL } from "./docs-url.js";

/** The problem of one option. */
export interface OptionProblem {
  /** The path from the root of the options, such as `destinations[0].endpoints[1].url`. */
  readonly path: string;
  /** A correct value, in words. Never the value that was found. */
  readonly expected: string;
}

/** Thrown by every function that is given wrong options. `problems` has all of them, each with its path. */
export interface OptionsError extends TypeError {
  readonly code: "bad-options";
  /** The address of a page with the remedy. */
  readonly docs: string;
  readonly problems: readonly OptionProblem[];
}

/** The most problems that the message names; `problems` holds all of them. */
const MAX_PROBLEMS_IN_MESSAGE = 20;

const DOCS = `${DOCS_URL}/errors.md#options`;

/** Creates the error. `functionName` is the name of the function that got the options, such as `createClient`. */
export function createOptionsError(functionName: string, problems: readonly OptionProblem[]): OptionsError {
  const lines = problems.slice(0, MAX_PROBLEMS_IN_MESSAGE).map(({ path, expected }) => `${path}: expected ${expected}`);
  const unnamed = problems.length - lines.length;
  const parts = lines.concat(unnamed > 0 ? `and ${String(unnamed)} more` : []);
  const message = `${functionName}: ${parts.join("; ")}`;
  return Object.assign(new TypeError(message), { code: "bad-options" as const, docs: DOCS, problems });
}
