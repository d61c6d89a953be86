// How an answer is written: JSON always, and one shape for every error. Knows no codes; who refuses names the reason.

import { MAX_RETRY_AFTER_S, OVERLOADED_RETRY_AFTER_S } from "./limits.js";
import { READ_ENCODING } from "./content-encoding.js";
import type { Answer } from "./handler.js";

type Headers = Answer["headers"];

/** Why a request was refused. Never holds a value that came in. */
export interface ErrorDetail {
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** Where in the request, as in `properties.items[0].price`. */
  readonly path?: string;
}

/** An answer of JSON. */
export function jsonAnswer(status: number, value: object, headers: Headers = []): Answer {
  return {
    status,
    headers: [["Content-Type", "application/json"], ["X-Content-Type-Options", "nosniff"], ...headers],
    body: JSON.stringify(value),
  };
}

/**
 * `{ "success": false, "code", "message", "error": { "code", "message", "path"? } }`: some libraries read the two at the
 * top, others read `error`.
 */
export function errorAnswer(status: number, error: ErrorDetail, headers: Headers = []): Answer {
  const { code, message } = error;
  return jsonAnswer(status, { success: false, code, message, error }, headers);
}

/** 404: nothing answers at this path. */
export function notFoundAnswer(): Answer {
  return errorAnswer(404, { code: "not-found", message: "there is nothing here" });
}

/** 405: the path is right, the method is not. */
export function methodAnswer(allowed: readonly string[]): Answer {
  const allow = allowed.join(", ");
  return errorAnswer(405, { code: "method-not-allowed", message: `use ${allow}` }, [["Allow", allow]]);
}

/** 503: so much is under way that there is no room for this request; nothing of it was looked at. */
export function overloadedAnswer(): Answer {
  const error = { code: "overloaded", message: "too much is under way here, try again" };
  return errorAnswer(503, error, [["Retry-After", String(OVERLOADED_RETRY_AFTER_S)]]);
}

/** Too many calls of a source, or too many unknown keys from an address. */
export function rateLimitedAnswer(waitMs: number): Answer {
  const error = { code: "rate-limited", message: "too many requests, try again later" };
  return errorAnswer(429, error, [["Retry-After", String(secondsToWait(waitMs))]]);
}

/** 415: the body is in an encoding that is not read; `Accept-Encoding` names the one that is (RFC 9110, 15.5.16). */
export function encodingAnswer(): Answer {
  const error = { code: "unsupported-encoding", message: `expected a body that is plain, or ${READ_ENCODING} once` };
  return errorAnswer(415, error, [["Accept-Encoding", READ_ENCODING]]);
}

/** 500: a bug of ours; what it was is nobody's business outside. */
export function bugAnswer(): Answer {
  return errorAnswer(500, { code: "internal", message: "something is wrong here, not with the request" });
}

/** A wait as callers are told it: in whole seconds, neither nothing nor for ever. */
export function secondsToWait(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs / 1_000), 1), MAX_RETRY_AFTER_S);
}
