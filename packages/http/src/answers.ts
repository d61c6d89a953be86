// Writes answers as JSON, all errors in one shape, and the refusals that handlers of any path may answer. The body of a
// request may be plain or gzipped: another encoding that is registered for HTTP is refused, so that the caller learns of
// the encoding rather than of bad JSON; unknown names are ignored (decision: encodings and empty lists).

import type { Answer } from "./handler.js";
import { MAX_RETRY_AFTER_S, OVERLOADED_RETRY_AFTER_S } from "./limits.js";

/** An answer whose body is one text. */
export interface TextAnswer extends Answer {
  readonly body: string;
}

type Headers = Answer["headers"];

/** The reason for a refusal. Never contains a value from the request. */
interface ErrorDetail {
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** The place in the request, such as `properties.items[0].price`. */
  readonly path?: string;
  /** The address of a page that says what to do. Left out where many callers get the same answer. */
  readonly docs?: string;
}

/** An answer of JSON. */
export function jsonAnswer(status: number, value: object, headers: Headers = []): TextAnswer {
  return {
    status,
    headers: [["Content-Type", "application/json"], ["X-Content-Type-Options", "nosniff"], ...headers],
    body: JSON.stringify(value),
  };
}

/**
 * `{ "success": false, "code", "message", "error": { "code", "message", "path"?, "docs"? } }`. Code and message are there twice,
 * since some libraries read them at the top, and others in `error`.
 */
export function errorAnswer(status: number, error: ErrorDetail, headers: Headers = []): TextAnswer {
  const { code, message } = error;
  return jsonAnswer(status, { success: false, code, message, error }, headers);
}

/** 404: there is no such path. */
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

/** The value of `Retry-After` for a wait: whole seconds, at least 1 and at most 300. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs / 1_000), 1), MAX_RETRY_AFTER_S);
}

/** 500: a bug of the server. The answer gives no details. */
export function internalErrorAnswer(): Answer {
  return errorAnswer(500, { code: "internal", message: "something is wrong here, not with the request" });
}

/** The only content coding that is supported. The answer that refuses another coding names this one. */
const SUPPORTED_ENCODING = "gzip";

/** Content codings that are registered for HTTP and are not supported. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  "aes128gcm",
  "br",
  "compress",
  "dcb",
  "dcz",
  "deflate",
  "exi",
  "pack200-gzip",
  "x-compress",
  "zstd",
]);

const GZIP: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);

/** 415: the body has an encoding that is not supported; `Accept-Encoding` names the supported one (RFC 9110, 15.5.16). */
export function unsupportedEncodingAnswer(): Answer {
  const error = {
    code: "unsupported-encoding",
    message: `expected a body that is plain, or ${SUPPORTED_ENCODING} once`,
  };
  return errorAnswer(415, error, [["Accept-Encoding", SUPPORTED_ENCODING]]);
}

/** False if a `Content-Encoding` names an unsupported coding, or gzip twice. A name that is not registered is ignored. */
export function isSupportedEncoding(header: string | undefined): boolean {
  if (header === undefined) return true;
  const codings = header.split(",").map((coding) => coding.trim().toLowerCase());
  return !codings.some((coding) => UNSUPPORTED.has(coding)) && codings.filter((coding) => GZIP.has(coding)).length <= 1;
}
