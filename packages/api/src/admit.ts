// Decides which requests get past the token: those that bear it, unless their address has shown so many wrong ones that it
// hears nothing about a further one, right or wrong (decision: limits on callers).

import type { Clock, Secret } from "@postrider/core";
import { type Answer, createKeyGuesses, type IncomingRequest, rateLimitedAnswer } from "@postrider/http";
import { authorise } from "./authorise.js";

export interface AdmitOptions {
  readonly clock: Pick<Clock, "monotonic"> | undefined;
  readonly onWrongToken: (() => void) | undefined;
}

/** Returns the refusal of a request; undefined if it is allowed. */
export type Admit = (token: Secret | undefined, request: IncomingRequest) => Answer | undefined;

/** The owner of the one right token. */
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
