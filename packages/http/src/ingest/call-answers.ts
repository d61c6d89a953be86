// Turns the receipts of calls into an answer, and writes the refusals of ingest. Suppressed and filtered calls are answered
// as a success, so that a caller does not learn what is delivered. If one call was shed, the whole request is answered
// 503, so that the caller sends it again. No answer repeats a value of the request but the messageId of a call.

import { Buffer } from "node:buffer";
import type { EpochMs, Receipt, RefusalCode } from "@postrider/core";
import {
  type Answer,
  jsonAnswer,
  retryAfterSeconds,
  errorAnswer,
  MAX_REQUEST_BYTES,
  type ReadJsonResult,
  unsupportedEncodingAnswer,
  overloadedAnswer,
  UNAVAILABLE_RETRY_AFTER_S,
} from "../index.js";
import type { BatchRefusalCode } from "@postrider/relay/settings";
import { MAX_TEXT_DEPTH } from "@postrider/core/engine";
import { MAX_REJECTED_ENTRY_BYTES } from "./limits.js";
import type { PostRoute } from "./routes.js";

/** The answer to a request of one call. */
export function answerCall(receipt: Receipt | undefined, now: EpochMs): Answer {
  if (receipt === undefined) return retryLaterAnswer();
  switch (receipt.kind) {
    case "accepted":
    case "duplicate":
    case "suppressed":
      return jsonAnswer(200, { success: true, messageId: receipt.messageId });
    case "refused":
      return brokenRuleAnswer(receipt.refusal);
    case "shed":
      return retryLaterAnswer(retryAfterSeconds(receipt.retryAt - now));
  }
}

/**
 * The answer to a batch: `accepted + duplicates + rejected.length` is the number of its calls. Each refused call has an
 * entry with its index and code, and with path and message while these entries together fit into `MAX_REJECTED_ENTRY_BYTES`.
 */
export function answerBatch(receipts: readonly Receipt[], now: EpochMs): Answer {
  const shed = receipts.find((receipt) => receipt.kind === "shed");
  if (shed !== undefined) return retryLaterAnswer(retryAfterSeconds(shed.retryAt - now));
  return jsonAnswer(200, {
    success: true,
    accepted: receipts.filter(({ kind }) => kind === "accepted" || kind === "suppressed").length,
    duplicates: receipts.filter(({ kind }) => kind === "duplicate").length,
    rejected: rejectionsOf(receipts),
  });
}

function rejectionsOf(receipts: readonly Receipt[]): readonly object[] {
  let leftBytes = MAX_REJECTED_ENTRY_BYTES;
  return receipts.flatMap((receipt, index) => {
    if (receipt.kind !== "refused") return [];
    const { code, path } = receipt.refusal;
    const entry = { index, code, path, message: messageOf(receipt.refusal) };
    if (leftBytes >= 0) leftBytes -= Buffer.byteLength(JSON.stringify(entry));
    return [leftBytes >= 0 ? entry : { index, code }];
  });
}

/** Every code that ingest answers, besides those that any path may answer (`not-found`, `method-not-allowed`). */
type IngestCode =
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
interface BrokenRule {
  readonly code: RefusalCode | BatchRefusalCode;
  readonly path: string;
  readonly expected: string;
}

/** The message for people: the expected value, and its place. */
function messageOf({ path, expected }: BrokenRule): string {
  return path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
}

/** A call or a batch that breaks a rule: 413 if it is too large, else 400. */
export function brokenRuleAnswer(broken: BrokenRule): Answer {
  const isTooMuch = broken.code === "too-large" || broken.code === "too-many-calls";
  return errorAnswer(isTooMuch ? 413 : 400, { code: broken.code, message: messageOf(broken), path: broken.path });
}

function tooLargeAnswer(code: "too-large" | "batch-too-large"): Answer {
  return refuse(413, code, `expected at most ${String(MAX_REQUEST_BYTES)} bytes`);
}

function badJsonAnswer(): Answer {
  return refuse(400, "bad-json", "expected JSON in UTF-8, gzipped or not");
}

/** 400 for a body that was not parsed, since it is nested too deeply. */
function tooDeepAnswer(): Answer {
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

/** The answer to a body without a JSON value. */
export function unreadAnswer(route: PostRoute, { reason }: Extract<ReadJsonResult, { kind: "refused" }>): Answer {
  switch (reason) {
    case "too-large":
      return tooLargeAnswer(route.kind === "batch" ? "batch-too-large" : "too-large");
    case "no-room":
      return overloadedAnswer();
    case "unread-encoding":
      return unsupportedEncodingAnswer();
    case "too-deep":
      return tooDeepAnswer();
    case "bad-json":
      return badJsonAnswer();
  }
}

/** A body that is not an object has no place for a key, so its caller has to correct its shape first. */
export function notAnObjectAnswer(route: PostRoute): Answer {
  return brokenRuleAnswer({
    code: route.kind === "batch" ? "bad-batch" : "not-an-object",
    path: "",
    expected: "an object",
  });
}
