// Refuses a policy whose numbers are none. Settings are checked before a relay uses them; this is for programs that call the
// functions of a policy by themselves. It throws, since a delay of NaN would be a due time that never comes.

import { createOptionsError } from "../options-error.js";
import type { RetryPolicy } from "./retry-policy.js";

/** The numbers of a policy. */
export type PolicyNumber = Exclude<keyof RetryPolicy, "schedule">;

/** Throws an `OptionsError` that names each of these numbers of the policy that is not finite. */
export function demandNumbers(functionName: string, policy: RetryPolicy, names: readonly PolicyNumber[]): void {
  if (names.every((name) => Number.isFinite(policy[name]))) return;
  const wrong = names.filter((name) => !Number.isFinite(policy[name]));
  const problems = wrong.map((name) => ({ path: `policy.${name}`, expected: "a finite number" }));
  // eslint-disable-next-line no-restricted-syntax -- a bug of the host, not an outcome: see above
  throw createOptionsError(functionName, problems);
}
