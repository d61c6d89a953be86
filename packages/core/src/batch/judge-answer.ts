// Decides the meaning of a server's answer for the calls of a batch: taken (single calls may be rejected), to be retried, or refused for
// good. A request that gets no answer is judged as well.

import { isObject } from "../call/host-value.js";
import type { JsonObject } from "../call/call.js";
import type { EpochMs } from "../ids.js";
import { MAX_CLIENT_RETRY_AFTER_MS } from "../limits.js";
import { readRetryAfter } from "../retry/retry-after.js";
import { type BatchFault, NOT_TAKEN, type Objection, objectionFrom, readObjection, SILENCE } from "./objection.js";

/** The result of a request with a batch: an answer, or none because of a time limit or the network. */
export type BatchAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The part of the answer's body that was read. */
      readonly body: string;
    }
  | { readonly kind: "silent"; readonly fault: BatchFault };

/** The meaning of an answer for the calls of the batch. */
export type BatchVerdict =
  /** The server has accepted all calls but the rejected ones. The keys of `rejected` are indexes in the batch. */
  | { readonly kind: "taken"; readonly rejected: ReadonlyMap<number, Objection> }
  /**
   * The batch is retried. `waitMs` is the delay that the server asks for in Retry-After, at most 5 minutes; 0 if it asks for
   * none.
   */
  | { readonly kind: "again"; readonly objection: Objection; readonly waitMs: number }
  | { readonly kind: "refused"; readonly objection: Objection };

/**
 * Judges the answer to a batch of `calls` calls. 2xx is taken, unless its body is a web page or says `"success": false`; that, 408,
 * 429, 5xx and silence are retried; the rest is refused.
 */
export function judgeAnswer(answer: BatchAnswer, calls: number, now: EpochMs): BatchVerdict {
  if (answer.kind === "silent") return { kind: "again", objection: SILENCE[answer.fault], waitMs: 0 };
  const { status, body } = answer;
  const json = parse(body);
  if (status >= 200 && status < 300) {
    if (isFromAnotherProgram(body, json)) return { kind: "again", objection: NOT_TAKEN, waitMs: 0 };
    return { kind: "taken", rejected: readRejected(json, calls) };
  }
  const objection = readObjection(status, json);
  if (!isRetryable(status)) return { kind: "refused", objection };
  const until = readRetryAfter(answer.retryAfter, MAX_CLIENT_RETRY_AFTER_MS, now);
  return { kind: "again", objection, waitMs: until === undefined ? 0 : until - now };
}

/** True if the answer comes from a program that has not taken the batch, such as the login page of a proxy. */
function isFromAnotherProgram(body: string, json: JsonObject | undefined): boolean {
  return json?.["success"] === false || body.trimStart().startsWith("<");
}

function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Reads the answer of `@postrider/http/ingest`: `rejected: [{ index, code, message }]`. Any other body rejects nothing. */
function readRejected(json: JsonObject | undefined, calls: number): ReadonlyMap<number, Objection> {
  const list = json?.["rejected"];
  const rejected = new Map<number, Objection>();
  if (!Array.isArray(list)) return rejected;
  for (const entry of list.slice(0, calls) as readonly unknown[]) {
    if (!isObject(entry)) continue;
    const index = entry["index"];
    if (isIndexBelow(calls, index))
      rejected.set(index, objectionFrom(entry, "rejected", "The server refused this call."));
  }
  return rejected;
}

function isIndexBelow(length: number, value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < length;
}

function parse(body: string): JsonObject | undefined {
  // An empty body is common, and an exception is slow.
  if (body === "") return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
