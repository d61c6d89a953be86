// Writes answers as JSON, and all errors in one shape. Knows no codes of errors: the caller gives them.

import type { Answer } from "./handler.js";

/** An answer whose body is one text. */
export interface TextAnswer extends Answer {
  readonly body: string;
}

type Headers = Answer["headers"];

/** Why a request was refused. Never contains a value from the request. */
export interface ErrorDetail {
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
