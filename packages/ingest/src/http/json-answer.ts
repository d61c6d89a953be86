// How an answer is written: JSON always, and one shape for every error. Knows no codes; who refuses names the reason.

import { OVERLOADED_RETRY_AFTER_S } from "../limits.js";
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

/** 415: the body is in an encoding that is not read; `Accept-Encoding` names the one that is (RFC 9110, 15.5.16). */
export function encodingAnswer(): Answer {
  const error = { code: "unsupported-encoding", message: `expected a body that is plain, or ${READ_ENCODING} once` };
  return errorAnswer(415, error, [["Accept-Encoding", READ_ENCODING]]);
}

/** 500: a bug of ours; what it was is nobody's business outside. */
export function bugAnswer(): Answer {
  return errorAnswer(500, { code: "internal", message: "something is wrong here, not with the request" });
}
