// The refusals that handlers of any path may answer. Each front has further refusals in its package.

import { SUPPORTED_ENCODING } from "./content-encoding.js";
import type { Answer } from "./handler.js";
import { errorAnswer } from "./json-answer.js";
import { MAX_RETRY_AFTER_S, OVERLOADED_RETRY_AFTER_S } from "./limits.js";

/** 404: nothing answers at this path. */
export function notFoundAnswer(): Answer {
  return errorAnswer(404, { code: "not-found", message: "there is nothing here" });
}

/** 405: the path is right, the method is not. */
export function wrongMethodAnswer(allowed: readonly string[]): Answer {
  const allow = allowed.join(", ");
  return errorAnswer(405, { code: "method-not-allowed", message: `use ${allow}` }, [["Allow", allow]]);
}

/** 503: this request exceeds a bound on the work under way; no part of it was handled. */
export function overloadedAnswer(): Answer {
  const error = { code: "overloaded", message: "too much is under way here, try again" };
  return errorAnswer(503, error, [["Retry-After", String(OVERLOADED_RETRY_AFTER_S)]]);
}

/** 429: one caller sent too many calls or showed too many unknown keys. */
export function rateLimitedAnswer(waitMs: number): Answer {
  const error = { code: "rate-limited", message: "too many requests, try again later" };
  return errorAnswer(429, error, [["Retry-After", String(retryAfterSeconds(waitMs))]]);
}

/** 415: the body has an encoding that is not supported; `Accept-Encoding` names the supported one (RFC 9110, 15.5.16). */
export function unsupportedEncodingAnswer(): Answer {
  const error = {
    code: "unsupported-encoding",
    message: `expected a body that is plain, or ${SUPPORTED_ENCODING} once`,
  };
  return errorAnswer(415, error, [["Accept-Encoding", SUPPORTED_ENCODING]]);
}

/** 500: a bug of the server. The answer gives no details. */
export function internalErrorAnswer(): Answer {
  return errorAnswer(500, { code: "internal", message: "something is wrong here, not with the request" });
}

/** The value of `Retry-After` for a wait: whole seconds, at least 1 and at most 300. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs / 1_000), 1), MAX_RETRY_AFTER_S);
}
