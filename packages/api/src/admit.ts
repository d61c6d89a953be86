// Decides which requests may use the API, or see the metrics: those with the right token. An address that has shown too many wrong tokens
// is not told whether a further token is right, unless it has shown the right token before (decision: limits on
// callers).

import type { Clock, Secret } from "@postrider/core";
import { type Answer, createKeyGuessLimit, type IncomingRequest, rateLimitedAnswer } from "@postrider/http";
import { authorise, type Guarded } from "./authorise.js";

export interface AdmitOptions {
  readonly clock: Pick<Clock, "monotonic"> | undefined;
  readonly onWrongToken: (() => void) | undefined;
  readonly of: Guarded;
}

/** Returns the refusal of a request; undefined if it is allowed. */
export type AdmitRequest = (token: Secret | undefined, request: IncomingRequest) => Answer | undefined;

/** The owner of the right token, under which `KeyGuessLimit` remembers the addresses that have shown it. */
const OPERATOR = "operator";

export function createAdmitRequest({ clock, onWrongToken, of }: AdmitOptions): AdmitRequest {
  const guesses = clock && createKeyGuessLimit(clock);
  return (token, { headers, remoteAddress }) => {
    const refusal = authorise(token, headers.get("authorization"), of);
    if (token === undefined) return refusal;
    if (refusal !== undefined) onWrongToken?.();
    const waitMs = guesses?.note(remoteAddress, refusal === undefined ? OPERATOR : undefined) ?? 0;
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusal;
  };
}
