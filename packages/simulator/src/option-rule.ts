// What a wrong option of a simulation is told: its path, and what was expected there. Does not know the options.

import type { OptionProblem } from "@postrider/core";

/** Something of which only the type that its caller gave it is known. */
export type Loose = Readonly<Record<string, unknown>>;

export function rule(isKept: boolean, path: string, expected: string): readonly OptionProblem[] {
  return isKept ? [] : [{ path, expected }];
}

/** Whether the value is an object with named values. A list is not. */
export function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
