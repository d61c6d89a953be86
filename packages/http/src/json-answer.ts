// Writes answers: always JSON, and one shape for every error. Knows no codes: the caller gives them.

import type { Answer } from "./handler.js";

type Headers = Answer["headers"];

/** Why a request was refused. Never contains a value from the request. */
export interface ErrorDetail {
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** The place in the request, such as `properties.items[0].price`. */
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
