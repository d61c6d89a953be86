// Decides which requests may use the API, or see the metrics: those whose bearer token is the one in the settings.
// Without a token in the settings, both are off. An address that has shown too many wrong tokens has to wait, and a
// right token is admitted however many wrong ones others show (decision: rights of callers).

import type { Clock, Secret } from "@postrider/core";
import {
  type Answer,
  createKeyGuessLimit,
  type IncomingHead,
  type IncomingRequest,
  rateLimitedAnswer,
  errorAnswer,
  isSameSecret,
} from "../index.js";
import { Buffer } from "node:buffer";
import { type ApiCode, docsOf, refuse } from "./refuse.js";

const TOKENS: Readonly<Record<ProtectedPart, string>> = { api: "API token", metrics: "token of the metrics" };

const OFF: Readonly<Record<ProtectedPart, string>> = {
  api: "the API is off; set apiToken in the config to use it",
  metrics: "the metrics are off; set metricsToken in the config to use them",
};

interface TokenGateOptions {
  /** The token that is right, or a function that returns the one in force. */
  readonly token: Secret | (() => Secret | undefined) | undefined;
  readonly clock: Pick<Clock, "monotonic"> | undefined;
  readonly onWrongToken: (() => void) | undefined;
  readonly part: ProtectedPart;
}

interface TokenGate {
  /** The refusal of a request; undefined if it is allowed. */
  readonly refusalOf: (request: IncomingRequest) => Answer | undefined;
  /** True if a request shows the right token. */
  readonly knows: (head: IncomingHead) => boolean;
}

export function createTokenGate({ token, clock, onWrongToken, part }: TokenGateOptions): TokenGate {
  const guesses = clock && createKeyGuessLimit(clock);
  const tokenInForce = typeof token === "function" ? token : (): Secret | undefined => token;
  return {
    refusalOf: ({ headers, remoteAddress }) => {
      const secret = tokenInForce();
      const refusal = checkToken(secret, headers.get("authorization"), part);
      if (secret === undefined || refusal === undefined) return refusal;
      onWrongToken?.();
      const waitMs = guesses?.note(remoteAddress, undefined) ?? 0;
      return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusal;
    },
    knows: ({ headers }) => checkToken(tokenInForce(), headers.get("authorization"), part) === undefined,
  };
}

/** The part of a server that a token opens. */
type ProtectedPart = "api" | "metrics";

/** Returns the refusal of a request; undefined if the request is allowed. */
function checkToken(
  token: Secret | undefined,
  authorization: string | undefined,
  part: ProtectedPart,
): Answer | undefined {
  if (token === undefined) return refuse(403, "api-off", OFF[part]);
  const bearer = /^bearer (.*)$/i.exec(authorization ?? "")?.[1]?.trim();
  if (bearer !== undefined && bearer !== "" && isToken(bearer, token)) return undefined;
  const code = "unauthorized" satisfies ApiCode;
  const message = `expected Authorization: Bearer and the ${TOKENS[part]}`;
  return errorAnswer(401, { code, message, docs: docsOf(code) }, [["WWW-Authenticate", "Bearer"]]);
}

// Node decodes each byte of a header as one character. The bytes are the token in UTF-8.
function isToken(bearer: string, token: Secret): boolean {
  return isSameSecret(Buffer.from(bearer, "latin1"), Buffer.from(token.reveal(), "utf8"));
}
