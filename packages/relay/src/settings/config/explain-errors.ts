// Turns io-ts errors into problems: a code, the path, and what was expected there. The value in an io-ts error is never
// read, since it may be a secret; for the same reason io-ts's reporters are not used.

import type { Problem, ProblemCode } from "@postrider/core";
import { pathTo } from "@postrider/core/engine";
import type { Errors, ValidationError } from "io-ts";

/** A key, or an index as a number. */
export type PathStep = string | number;

/** One problem for each error; paths are from the root of the decoded value. @internal */
export function explainErrors(errors: Errors): readonly Problem[] {
  return errors.map(explainError);
}

/** @internal */
export function explainError(error: ValidationError): Problem {
  const steps = stepsOf(error);
  const code = codeOf(error.message);
  const expected = error.context.at(-1)?.type.name ?? "something else";
  return {
    code,
    path: steps.reduce<string>(pathTo, ""),
    expected: code === "missing" ? `the key ${String(steps.at(-1))} with ${expected}` : expected,
  };
}

/** The path from the root to the place of an error. @internal */
export function stepsOf({ context }: ValidationError): readonly PathStep[] {
  return context.slice(1).map(({ key }, parent) => (Array.isArray(context[parent]?.actual) ? Number(key) : key));
}

function codeOf(message: string | undefined): ProblemCode {
  return message === "missing" || message === "unknown-key" ? message : "wrong-type";
}
