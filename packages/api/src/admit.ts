// Decides which requests may use the API, or see the metrics: those with the right token, however many wrong ones others show. An
// address that has shown too many wrong tokens has to wait (decision: rights of callers).

import type { Clock, Secret } from "@postrider/core";
import {
  type Answer,
  createKeyGuessLimit,
  type IncomingHead,
  type IncomingRequest,
  rateLimitedAnswer,
} from "@postrider/http";
import { authorise, type Guarded } from "./authorise.js";

export interface TokenGateOptions {
  /** The right token, or what returns the one in force. */
  readonly token: Secret | (() => Secret | undefined) | undefined;
  readonly clock: Pick<Clock, "monotonic"> | undefined;
  readonly onWrongToken: (() => void) | undefined;
  readonly of: Guarded;
}

export interface TokenGate {
  /** The refusal of a request; undefined if it is allowed. */
  readonly refusalOf: (request: IncomingRequest) => Answer | undefined;
  /** Whether a request shows the right token. */
  readonly knows: (head: IncomingHead) => boolean;
}

export function createTokenGate({ token, clock, onWrongToken, of }: TokenGateOptions): TokenGate {
  const guesses = clock && createKeyGuessLimit(clock);
  const tokenInForce = typeof token === "function" ? token : (): Secret | undefined => token;
  return {
    refusalOf: ({ headers, remoteAddress }) => {
      const right = tokenInForce();
      const refusal = authorise(right, headers.get("authorization"), of);
      if (right === undefined || refusal === undefined) return refusal;
      onWrongToken?.();
      const waitMs = guesses?.note(remoteAddress, undefined) ?? 0;
      return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusal;
    },
    knows: ({ headers }) => authorise(tokenInForce(), headers.get("authorization"), of) === undefined,
  };
}
