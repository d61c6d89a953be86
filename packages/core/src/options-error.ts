// The error of every function that makes something from options: all that is wrong with them, each with its place. It is thrown,
// since a program whose options are wrong has to be changed; what goes wrong later is answered, not thrown (docs/errors.md).

/** What is wrong with one option. */
export interface OptionProblem {
  /** From the root of the options: `destinations[0].endpoints[1].url`. */
  readonly path: string;
  /** What would have been right, in words. Never the value found there. */
  readonly expected: string;
}

export interface OptionsError extends TypeError {
  readonly code: "bad-options";
  readonly problems: readonly OptionProblem[];
}

/** Of the problems, how many the message names; `problems` holds all of them. */
const MAX_NAMED = 20;

/** `made`: the function that was called, such as `createClient`. */
export function createOptionsError(made: string, problems: readonly OptionProblem[]): OptionsError {
  const named = problems.slice(0, MAX_NAMED).map(({ path, expected }) => `${path}: expected ${expected}`);
  const more = problems.length > MAX_NAMED ? [`and ${String(problems.length - MAX_NAMED)} more`] : [];
  const message = `${made}: ${[...named, ...more].join("; ")}`;
  return Object.assign(new TypeError(message), { code: "bad-options" as const, problems });
}
