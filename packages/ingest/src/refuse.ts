// The answers to requests that ingest refuses, and the message for a refused call of a batch. Codes are a closed list. No
// answer contains a value of the request, or details of how the server works.

import type { BatchRefusalCode } from "@postrider/codec";
import type { RefusalCode } from "@postrider/core";
import { MAX_TEXT_DEPTH } from "@postrider/core/engine";
import { type Answer, errorAnswer, MAX_REQUEST_BYTES, UNAVAILABLE_RETRY_AFTER_S } from "@postrider/http";

/** Every code that ingest answers, besides those that any path may answer (`not-found`, `method-not-allowed`). */
export type IngestCode =
  | RefusalCode
  | BatchRefusalCode
  | "bad-json"
  | "batch-too-large"
  | "unknown-key"
  | "rate-limited"
  | "overloaded"
  | "unsupported-encoding"
  | "store-unavailable";

/** A rule that was broken, and where. */
export interface BrokenRule {
  readonly code: RefusalCode | BatchRefusalCode;
  readonly path: string;
  readonly expected: string;
}

/** The message for people: what was expected, and where. */
export function messageOf({ path, expected }: BrokenRule): string {
  return path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
}

/** A call or a batch that breaks a rule: 413 if it is too large, else 400. */
export function brokenRuleAnswer(broken: BrokenRule): Answer {
  const isTooMuch = broken.code === "too-large" || broken.code === "too-many-calls";
  return errorAnswer(isTooMuch ? 413 : 400, { code: broken.code, message: messageOf(broken), path: broken.path });
}

export function tooLargeAnswer(code: "too-large" | "batch-too-large"): Answer {
  return refuse(413, code, `expected at most ${String(MAX_REQUEST_BYTES)} bytes`);
}

export function badJsonAnswer(): Answer {
  return refuse(400, "bad-json", "expected JSON in UTF-8, gzipped or not");
}

/** 400 for a body that was not parsed, since it is nested too deeply. */
export function tooDeepAnswer(): Answer {
  return refuse(400, "too-deep", `expected JSON of at most ${String(MAX_TEXT_DEPTH)} levels`);
}

export function unknownKeyAnswer(): Answer {
  return refuse(401, "unknown-key", "expected the write key of a source, by Basic auth or as writeKey in the body");
}

/** 503. The caller should send all calls again; calls that were stored are then duplicates. */
export function retryLaterAnswer(retryAfterS: number = UNAVAILABLE_RETRY_AFTER_S): Answer {
  const error = { code: "store-unavailable" satisfies IngestCode, message: "calls cannot be stored now, try again" };
  return errorAnswer(503, error, [["Retry-After", String(retryAfterS)]]);
}

function refuse(status: number, code: IngestCode, message: string): Answer {
  return errorAnswer(status, { code, message });
}
