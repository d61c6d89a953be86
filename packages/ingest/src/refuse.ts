// Why a request is refused before any call in it is looked at, and how a refused call is put into words. Codes are
// closed; no answer holds a value that came in, nor anything of how we work inside.

import type { BatchRefusalCode } from "@postrider/codec";
import { MAX_TEXT_DEPTH, type RefusalCode } from "@postrider/core";
import { type Answer, errorAnswer, MAX_REQUEST_BYTES } from "@postrider/http";
import { RETRY_AFTER_S } from "./limits.js";

/** Every code that the way in answers, besides those that any path has (`not-found`, `method-not-allowed`). */
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

/** What is wrong, and where. */
export interface Broken {
  readonly code: RefusalCode | BatchRefusalCode;
  readonly path: string;
  readonly expected: string;
}

/** In words: what was expected, and where. */
export function messageOf({ path, expected }: Broken): string {
  return path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
}

/** A call or an envelope that breaks a rule: 413 where it is too much, 400 else. */
export function brokenAnswer(broken: Broken): Answer {
  const isTooMuch = broken.code === "too-large" || broken.code === "too-many-calls";
  return errorAnswer(isTooMuch ? 413 : 400, { code: broken.code, message: messageOf(broken), path: broken.path });
}

export function tooLargeAnswer(code: "too-large" | "batch-too-large"): Answer {
  return refuse(413, code, `expected at most ${String(MAX_REQUEST_BYTES)} bytes`);
}

export function badJsonAnswer(): Answer {
  return refuse(400, "bad-json", "expected JSON in UTF-8, gzipped or not");
}

/** A body that was not parsed. */
export function tooDeepAnswer(): Answer {
  return refuse(400, "too-deep", `expected JSON of at most ${String(MAX_TEXT_DEPTH)} levels`);
}

export function unknownKeyAnswer(): Answer {
  return refuse(401, "unknown-key", "expected the write key of a source, by Basic auth or as writeKey in the body");
}

/** Nothing was taken in that a second try could double. */
export function unavailableAnswer(retryAfterS: number = RETRY_AFTER_S): Answer {
  const error = { code: "store-unavailable" satisfies IngestCode, message: "calls cannot be stored now, try again" };
  return errorAnswer(503, error, [["Retry-After", String(retryAfterS)]]);
}

function refuse(status: number, code: IngestCode, message: string): Answer {
  return errorAnswer(status, { code, message });
}
