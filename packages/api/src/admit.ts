// Decides which requests may use the API: those with the right token, unless their address has shown too many wrong tokens.
// Such an address is told nothing about a further token, right or wrong (decision: limits on callers).

import type { Clock, Secret } from "@postrider/core";
import { type Answer, createKeyGuesses, type IncomingRequest, rateLimitedAnswer } from "@postrider/http";
import { authorise } from "./authorise.js";

export interface AdmitOptions {
  readonly clock: Pick<Clock, "monotonic"> | undefined;
  readonly onWrongToken: (() => void) | undefined;
}

/** Returns the refusal of a request; undefined if it is allowed. */
export type Admit = (token: Secret | undefined, request: IncomingRequest) => Answer | undefined;

/** The single owner, to which the right token belongs. */
const OPERATOR = "operator";

export function createAdmit({ clock, onWrongToken }: AdmitOptions): Admit {
  const guesses = clock && createKeyGuesses(clock);
  return (token, { headers, remoteAddress }) => {
    const refusal = authorise(token, headers.get("authorization"));
    if (token === undefined) return refusal;
    if (refusal !== undefined) onWrongToken?.();
    const waitMs = guesses?.note(remoteAddress, refusal === undefined ? OPERATOR : undefined) ?? 0;
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusal;
  };
}
