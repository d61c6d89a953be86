// Reads an answer that came whole and plain in one piece, in place: a final status, fields without a doubt, one length, and
// its body to the last byte. All else is not plain, and goes to the strict parser, which decides about it (decision:
// answers in place). What is read here, that parser reads in the same way: `npm run soak -- answers` compares the two.

import { type AnswerFields, createAnswerFields, NOT_PLAIN, readField } from "./answer-fields.js";
import { MAX_HEAD_BYTES } from "./limits.js";
import { CR, DIGIT, endOfRun, isIn, LF, SPACE, TEXT, ZERO } from "./octets.js";

export interface PlainAnswer {
  readonly status: number;
  /** The first Retry-After header, unparsed. */
  readonly retryAfter: string | undefined;
  /** Where the body begins; it ends with the bytes. */
  readonly bodyAt: number;
  /** How long the connection may be idle, in milliseconds; at most 0 if it must not be used again. */
  readonly keepAliveMs: number;
}

const VERSION: Uint8Array = Buffer.from("HTTP/1.1 ");
const STATUS_AT: number = VERSION.length;
const STATUS_END: number = STATUS_AT + 3;
const MIN_STATUS = 200;
const MAX_STATUS = 599;

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

/** Where the first field begins, or `NOT_PLAIN`. */
function endOfStatusLine(bytes: Buffer): number {
  const end = bytes[STATUS_END] === SPACE ? endOfRun(TEXT, bytes, STATUS_END) : STATUS_END;
  return bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : NOT_PLAIN;
}

/** Where the body begins, or `NOT_PLAIN`. */
function readFields(bytes: Buffer, firstAt: number, fields: AnswerFields): number {
  let at = firstAt;
  while (at !== NOT_PLAIN && bytes[at] !== CR) at = readField(bytes, at, fields);
  return at !== NOT_PLAIN && bytes[at + 1] === LF ? at + 2 : NOT_PLAIN;
}

/** How long the body must be; `NOT_PLAIN` if the answer does not say so, or says it where no body may be. */
function bodyLength(status: number, { contentLength }: AnswerFields): number {
  if (status !== 204 && status !== 304) return contentLength;
  return contentLength <= 0 ? 0 : NOT_PLAIN;
}
