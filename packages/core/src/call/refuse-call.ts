// The answer of a check that refuses a call: the same member in the union of each such check. Knows no check.

import type { Refusal, RefusalCode } from "./refusal.js";

export interface RefusedCall {
  readonly kind: "refused";
  readonly refusal: Refusal;
}

export function refuseCall(code: RefusalCode, path: string, expected: string): RefusedCall {
  return { kind: "refused", refusal: { code, path, expected } };
}
