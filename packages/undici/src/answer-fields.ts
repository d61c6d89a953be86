// Reads the header fields of an answer, and keeps the few that decide about its body, its connection and the next attempt.
// A field that the strict parser might read in another way makes the answer not plain (decision: answers in place).

import { KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS, KEEP_ALIVE_MS } from "./limits.js";
import { BLANK, COLON, CR, DIGIT, endOfRun, isIn, LF, TEXT, TOKEN, ZERO } from "./octets.js";

export interface AnswerFields {
  /** -1 if the answer has none. */
  contentLength: number;
  /** The first of them. */
  retryAfter: string | undefined;
  /** How long the connection may be idle, in milliseconds; at most 0 if it must not be used again. */
  keepAliveMs: number;
  hasConnection: boolean;
  hasKeepAlive: boolean;
}

/** In place of a position: the answer is not plain. */
export const NOT_PLAIN = -1;

interface Field {
  readonly bytes: Buffer;
  readonly nameAt: number;
  readonly nameEnd: number;
  readonly valueAt: number;
  readonly valueEnd: number;
}

const CONTENT_LENGTH: Uint8Array = Buffer.from("content-length");
const RETRY_AFTER: Uint8Array = Buffer.from("retry-after");
const CONNECTION: Uint8Array = Buffer.from("connection");
const KEEP_ALIVE: Uint8Array = Buffer.from("keep-alive");
/** The fields that change the framing, or that llhttp takes for `Connection`. */
const REFUSED: readonly Uint8Array[] = ["transfer-encoding", "upgrade", "trailer", "proxy-connection"].map((name) =>
  Buffer.from(name),
);
/** More digits than a body in one piece can need. */
const MAX_LENGTH_DIGITS = 9;

export function createAnswerFields(): AnswerFields {
  return {
    contentLength: -1,
    retryAfter: undefined,
    keepAliveMs: KEEP_ALIVE_MS,
    hasConnection: false,
    hasKeepAlive: false,
  };
}

/** Reads the field that begins at `nameAt`; returns where the next line begins, or `NOT_PLAIN`. */
export function readField(bytes: Buffer, nameAt: number, fields: AnswerFields): number {
  const nameEnd = endOfRun(TOKEN, bytes, nameAt);
  if (nameEnd === nameAt || bytes[nameEnd] !== COLON) return NOT_PLAIN;
  const valueAt = endOfRun(BLANK, bytes, nameEnd + 1);
  const valueEnd = endOfRun(TEXT, bytes, valueAt);
  // A value that is empty, or that ends in a blank, is not read in the same way by all parsers.
  if (valueEnd === valueAt || isIn(BLANK, bytes[valueEnd - 1])) return NOT_PLAIN;
  if (bytes[valueEnd] !== CR || bytes[valueEnd + 1] !== LF) return NOT_PLAIN;
  return keepField({ bytes, nameAt, nameEnd, valueAt, valueEnd }, fields) ? valueEnd + 2 : NOT_PLAIN;
}

/** Whether the answer is still plain with this field. */
function keepField(field: Field, fields: AnswerFields): boolean {
  if (isNamed(field, CONTENT_LENGTH)) return keepContentLength(field, fields);
  if (isNamed(field, CONNECTION)) return keepConnection(field, fields);
  if (isNamed(field, KEEP_ALIVE)) return keepKeepAlive(field, fields);
  if (isNamed(field, RETRY_AFTER)) {
    fields.retryAfter ??= valueOf(field);
    return true;
  }
  return !REFUSED.some((name) => isNamed(field, name));
}

function keepContentLength({ bytes, valueAt, valueEnd }: Field, fields: AnswerFields): boolean {
  const isLength = endOfRun(DIGIT, bytes, valueAt) === valueEnd && valueEnd - valueAt <= MAX_LENGTH_DIGITS;
  if (!isLength || fields.contentLength !== -1) return false;
  fields.contentLength = 0;
  for (let at = valueAt; at < valueEnd; at += 1) {
    fields.contentLength = fields.contentLength * 10 + (bytes[at] ?? 0) - ZERO;
  }
  return true;
}

function keepConnection(field: Field, fields: AnswerFields): boolean {
  if (fields.hasConnection || valueOf(field).toLowerCase() !== "keep-alive") return false;
  fields.hasConnection = true;
  return true;
}

/** The receiver's time, less a margin; without a time in the field, the usual one. */
function keepKeepAlive(field: Field, fields: AnswerFields): boolean {
  if (fields.hasKeepAlive) return false;
  fields.hasKeepAlive = true;
  const seconds = /timeout=(\d+)/.exec(valueOf(field))?.[1];
  if (seconds !== undefined) {
    fields.keepAliveMs = Math.min(Number(seconds) * 1_000 - KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS);
  }
  return true;
}

/** Whether the field has this name, in lower case. The octets of a token differ from those of a name in bit 0x20 alone. */
function isNamed({ bytes, nameAt, nameEnd }: Field, name: Uint8Array): boolean {
  if (nameEnd - nameAt !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (((bytes[nameAt + index] ?? 0) | 0x20) !== name[index]) return false;
  }
  return true;
}

function valueOf({ bytes, valueAt, valueEnd }: Field): string {
  return bytes.toString("latin1", valueAt, valueEnd);
}
