// The result of a check that refuses a call. The result type of every check of a call contains it.

import type { Refusal, RefusalCode } from "./refusal.js";

/** The result of a check that refuses a call. */
export interface RefusedCall {
  readonly kind: "refused";
  readonly refusal: Refusal;
}

/** The refusal of a call, as the result of a check. */
export function refuseCall(code: RefusalCode, path: string, expected: string): RefusedCall {
  return { kind: "refused", refusal: { code, path, expected } };
}
