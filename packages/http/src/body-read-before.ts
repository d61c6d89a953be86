// What is left of a body that a parser read before the request came here, as happens to a listener that is mounted behind
// one: the bytes, the text, or the value that was parsed. A listener that waited for such a body would wait for ever
// (decision: bodies already read).

import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./handler.js";
import { errorAnswer } from "./json-answer.js";

export type ReadBefore =
  | { readonly kind: "unread" }
  /** The bytes as they came, or, of a value, as JSON that says the same. */
  | { readonly kind: "kept"; readonly bytes: Uint8Array; readonly isParsed: boolean }
  /** Read, and nothing that could stand for it was left. */
  | { readonly kind: "lost" };

/** Where body parsers put what they read. */
interface Parsed {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

const FORM = /^application\/x-www-form-urlencoded|^multipart\//i;

/** Looks for the bytes in `rawBody` and `body`, then for a parsed value in `body`. */
export function bodyReadBefore(request: IncomingMessage & Parsed): ReadBefore {
  if (!request.readableDidRead && !request.readableEnded) return { kind: "unread" };
  if (!hasBody(request)) return kept(new Uint8Array());
  const bytes = bytesOf(request.rawBody) ?? bytesOf(request.body);
  if (bytes !== undefined) return kept(bytes);
  // JSON that was sent as a form, as curl does, has been torn to pieces.
  if (FORM.test(request.headers["content-type"] ?? "")) return { kind: "lost" };
  const json = jsonOf(request.body);
  return json === undefined ? { kind: "lost" } : { kind: "kept", bytes: Buffer.from(json), isParsed: true };
}

/** 500: the program that mounts the listener has to be changed, not the request. */
export function bodyAlreadyReadAnswer(advice: string): Answer {
  return errorAnswer(500, { code: "body-already-read", message: `the body was read before it came here: ${advice}` });
}

function kept(bytes: Uint8Array): ReadBefore {
  return { kind: "kept", bytes, isParsed: false };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return Buffer.from(value);
  return value instanceof Uint8Array ? value : undefined;
}

/** Undefined for what JSON cannot carry, such as a value that holds itself. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
