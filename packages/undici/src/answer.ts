// Reads an answer that came whole and plain in one piece, in place: a final status, unambiguous fields, one length, and its body to the
// last byte. All else is not plain, and goes to the strict parser, which decides about it (decision: answers in place). That parser reads a
// plain answer in the same way: `npm run soak -- answers` compares the two.

import type { Fault } from "@postrider/core";
import type { ReplyHead } from "@postrider/core/engine";
import { MAX_HEAD_BYTES, KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS, KEEP_ALIVE_MS } from "./limits.js";
import { CR, DIGIT, endOfRun, isIn, LF, SPACE, TEXT, ZERO, BLANK, COLON, TOKEN } from "./octets.js";

/** Once an exchange is over, further events do nothing. */
export interface AnswerEvents {
  /** A final status line with its headers. */
  onHead(head: ReplyHead): void;
  /** A piece of the body, which may be overwritten after the call. */
  onBody(chunk: Uint8Array): void;
  /** The answer is complete. */
  onEnd(): void;
  /** The answer will not come, or not to its end. */
  onFault(fault: Fault): void;
}

interface PlainAnswer {
  readonly status: number;
  /** The first Retry-After header, unparsed. */
  readonly retryAfter: string | undefined;
  /** The start of the body; it ends with the bytes. */
  readonly bodyAt: number;
  /** The time for which the connection may be idle, in milliseconds; at most 0 if it must not be used again. */
  readonly keepAliveMs: number;
}

const VERSION: Uint8Array = Buffer.from("HTTP/1.1 ");

const STATUS_AT: number = VERSION.length;

const STATUS_END: number = STATUS_AT + 3;

const MIN_STATUS = 200;

const MAX_STATUS = 599;

const CONTENT_LENGTH: Uint8Array = Buffer.from("content-length");

const RETRY_AFTER: Uint8Array = Buffer.from("retry-after");

const CONNECTION: Uint8Array = Buffer.from("connection");

const KEEP_ALIVE: Uint8Array = Buffer.from("keep-alive");

/** The fields that change the framing, or that llhttp takes for `Connection`. */
const REFUSED_FIELDS: readonly Uint8Array[] = ["transfer-encoding", "upgrade", "trailer", "proxy-connection"].map(
  (name) => Buffer.from(name),
);

/** More digits than a body in one piece can need. */
const MAX_LENGTH_DIGITS = 9;

/** In place of a position: the answer is not plain. */
const NOT_PLAIN = -1;

/** Reads all that has come in answer to one request; undefined if it is not plain. */
export function readPlainAnswer(bytes: Buffer): PlainAnswer | undefined {
  const status = readStatus(bytes);
  if (status === NOT_PLAIN) return undefined;
  const fields = createAnswerFields();
  const bodyAt = readFields(bytes, endOfStatusLine(bytes), fields);
  if (bodyAt === NOT_PLAIN || bodyAt > MAX_HEAD_BYTES) return undefined;
  if (bytes.length - bodyAt !== bodyLength(status, fields)) return undefined;
  return { status, retryAfter: fields.retryAfter, bodyAt, keepAliveMs: fields.keepAliveMs };
}

/** The final status, or `NOT_PLAIN`. */
function readStatus(bytes: Buffer): number {
  for (let at = 0; at < STATUS_AT; at += 1) {
    if (bytes[at] !== VERSION[at]) return NOT_PLAIN;
  }
  let status = 0;
  for (let at = STATUS_AT; at < STATUS_END; at += 1) {
    if (!isIn(DIGIT, bytes[at])) return NOT_PLAIN;
    status = status * 10 + (bytes[at] ?? 0) - ZERO;
  }
  return status >= MIN_STATUS && status <= MAX_STATUS ? status : NOT_PLAIN;
}

/** The start of the first field, or `NOT_PLAIN`. */
function endOfStatusLine(bytes: Buffer): number {
  const end = bytes[STATUS_END] === SPACE ? endOfRun(TEXT, bytes, STATUS_END) : STATUS_END;
  return bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : NOT_PLAIN;
}

/** The start of the body, or `NOT_PLAIN`. */
function readFields(bytes: Buffer, firstAt: number, fields: AnswerFields): number {
  let at = firstAt;
  while (at !== NOT_PLAIN && bytes[at] !== CR) at = readField(bytes, at, fields);
  return at !== NOT_PLAIN && bytes[at + 1] === LF ? at + 2 : NOT_PLAIN;
}

/** The length that the body must have; `NOT_PLAIN` if the answer does not say so, or says it where no body may be. */
function bodyLength(status: number, { contentLength }: AnswerFields): number {
  if (status !== 204 && status !== 304) return contentLength;
  return contentLength <= 0 ? 0 : NOT_PLAIN;
}

interface AnswerFields {
  /** `NOT_PLAIN` if the answer has none. */
  contentLength: number;
  /** The first of them. */
  retryAfter: string | undefined;
  /** The time for which the connection may be idle, in milliseconds; at most 0 if it must not be used again. */
  keepAliveMs: number;
  hasConnection: boolean;
  hasKeepAlive: boolean;
}

function createAnswerFields(): AnswerFields {
  return {
    contentLength: NOT_PLAIN,
    retryAfter: undefined,
    keepAliveMs: KEEP_ALIVE_MS,
    hasConnection: false,
    hasKeepAlive: false,
  };
}

interface Field {
  readonly bytes: Buffer;
  readonly nameAt: number;
  readonly nameEnd: number;
  readonly valueAt: number;
  readonly valueEnd: number;
}

/** Reads the field that begins at `nameAt`; returns where the next line begins, or `NOT_PLAIN`. */
function readField(bytes: Buffer, nameAt: number, fields: AnswerFields): number {
  const nameEnd = endOfRun(TOKEN, bytes, nameAt);
  if (nameEnd === nameAt || bytes[nameEnd] !== COLON) return NOT_PLAIN;
  const valueAt = endOfRun(BLANK, bytes, nameEnd + 1);
  const valueEnd = endOfRun(TEXT, bytes, valueAt);
  // A value that is empty, or that ends in a blank, is not read in the same way by all parsers.
  if (valueEnd === valueAt || isIn(BLANK, bytes[valueEnd - 1])) return NOT_PLAIN;
  if (bytes[valueEnd] !== CR || bytes[valueEnd + 1] !== LF) return NOT_PLAIN;
  return noteField({ bytes, nameAt, nameEnd, valueAt, valueEnd }, fields) ? valueEnd + 2 : NOT_PLAIN;
}

/** True if the answer is still plain with this field. */
function noteField(field: Field, fields: AnswerFields): boolean {
  if (isNamed(field, CONTENT_LENGTH)) return noteContentLength(field, fields);
  if (isNamed(field, CONNECTION)) return noteConnection(field, fields);
  if (isNamed(field, KEEP_ALIVE)) return noteKeepAlive(field, fields);
  if (isNamed(field, RETRY_AFTER)) {
    fields.retryAfter ??= valueOf(field);
    return true;
  }
  return !REFUSED_FIELDS.some((name) => isNamed(field, name));
}

function noteContentLength({ bytes, valueAt, valueEnd }: Field, fields: AnswerFields): boolean {
  const isLength = endOfRun(DIGIT, bytes, valueAt) === valueEnd && valueEnd - valueAt <= MAX_LENGTH_DIGITS;
  if (!isLength || fields.contentLength !== NOT_PLAIN) return false;
  fields.contentLength = 0;
  for (let at = valueAt; at < valueEnd; at += 1) {
    fields.contentLength = fields.contentLength * 10 + (bytes[at] ?? 0) - ZERO;
  }
  return true;
}

function noteConnection(field: Field, fields: AnswerFields): boolean {
  if (fields.hasConnection || valueOf(field).toLowerCase() !== "keep-alive") return false;
  fields.hasConnection = true;
  return true;
}

/** Notes the receiver's time, less a margin; without a time in the field, the default stays. */
function noteKeepAlive(field: Field, fields: AnswerFields): boolean {
  if (fields.hasKeepAlive) return false;
  fields.hasKeepAlive = true;
  const seconds = /timeout=(\d+)/.exec(valueOf(field))?.[1];
  if (seconds !== undefined) {
    fields.keepAliveMs = Math.min(Number(seconds) * 1_000 - KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS);
  }
  return true;
}

/** True if the field has this name in any case; `name` is in lower case. Bit 0x20 makes letters small, and makes no other octet of a token a letter. */
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
