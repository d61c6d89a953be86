// If a body parser has read the body of a request before this listener, finds what the parser left: the bytes, the text
// or the parsed value. A listener that waited for a body that is already read would wait forever (decision: bodies
// already read).

import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./handler.js";
import { errorAnswer } from "./json-answer.js";

export type EarlierRead =
  | { readonly kind: "unread" }
  /** The bytes as they arrived, or, if `isParsed`, the parsed value written as JSON. */
  | { readonly kind: "kept"; readonly bytes: Uint8Array; readonly isParsed: boolean }
  /** The body was read, and neither bytes nor a usable value was left. */
  | { readonly kind: "lost" };

/** The fields in which body parsers leave a body. */
interface ParserFields {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

const FORM = /^application\/x-www-form-urlencoded|^multipart\//i;

/** Looks for the bytes in `rawBody` and `body`, then for a parsed value in `body`. */
export function findEarlierRead(request: IncomingMessage & ParserFields): EarlierRead {
  if (!request.readableDidRead && !request.readableEnded) return { kind: "unread" };
  if (!hasBody(request)) return kept(new Uint8Array());
  const bytes = bytesOf(request.rawBody) ?? bytesOf(request.body);
  if (bytes !== undefined) return kept(bytes);
  // JSON that was sent with the content type of a form, as by curl, was split into fields.
  if (FORM.test(request.headers["content-type"] ?? "")) return { kind: "lost" };
  const json = jsonOf(request.body);
  return json === undefined ? { kind: "lost" } : { kind: "kept", bytes: Buffer.from(json), isParsed: true };
}

/** 500: nothing is wrong with the request; the program that mounts the listener has to change. */
export function bodyAlreadyReadAnswer(advice: string): Answer {
  return errorAnswer(500, { code: "body-already-read", message: `the body was read before it came here: ${advice}` });
}

function kept(bytes: Uint8Array): EarlierRead {
  return { kind: "kept", bytes, isParsed: false };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return Buffer.from(value);
  return value instanceof Uint8Array ? value : undefined;
}

/** Undefined for a value that JSON cannot express, such as a circular one. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
