// Decides what a server's answer to a batch means for its calls: taken, though some of them may be rejected; to be sent
// again, since a second try may go better; or refused for good. Silence is an answer too.

import { isPlainObject } from "../call/is-plain-object.js";
import type { JsonObject } from "../call/call.js";
import type { EpochMs } from "../ids.js";
import { MAX_HELD_OFF_MS, MAX_TOLD_LENGTH } from "../limits.js";
import { readRetryAfter } from "../retry/retry-after.js";

export type BatchAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** As much of it as was read. */
      readonly body: string;
    }
  | { readonly kind: "silent"; readonly fault: "timeout" | "network" };

/** What a server has to say against a call or a batch: a stable code, and words. */
export interface Objection {
  readonly code: string;
  readonly message: string;
}

export type BatchVerdict =
  /** All calls but the rejected ones are delivered. Rejected by their place in the batch. */
  | { readonly kind: "taken"; readonly rejected: ReadonlyMap<number, Objection> }
  /** `waitMs`: for how long the server asks to be left alone. */
  | { readonly kind: "again"; readonly objection: Objection; readonly waitMs: number }
  | { readonly kind: "refused"; readonly objection: Objection };

/** Judges the answer to a batch of `calls` calls. */
export function judgeAnswer(answer: BatchAnswer, calls: number, now: EpochMs): BatchVerdict {
  if (answer.kind === "silent") return { kind: "again", objection: SILENCE[answer.fault], waitMs: 0 };
  const { status, body } = answer;
  if (status >= 200 && status < 300) return { kind: "taken", rejected: readRejected(body, calls) };
  const objection = readObjection(status, body);
  if (!isRetryable(status)) return { kind: "refused", objection };
  const until = readRetryAfter(answer.retryAfter, MAX_HELD_OFF_MS, now);
  return { kind: "again", objection, waitMs: until === undefined ? 0 : until - now };
}

const SILENCE: { readonly [Fault in "timeout" | "network"]: Objection } = {
  timeout: { code: "timeout", message: "The server did not answer in time." },
  network: { code: "network", message: "The server could not be reached." },
};

function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** What our own way in answers: `rejected: [{ index, code, message }]`. Any other body rejects nothing. */
function readRejected(body: string, calls: number): ReadonlyMap<number, Objection> {
  const list = parse(body)?.["rejected"];
  const rejected = new Map<number, Objection>();
  if (!Array.isArray(list)) return rejected;
  for (const entry of list.slice(0, calls) as readonly unknown[]) {
    const index = isPlainObject(entry) ? entry["index"] : undefined;
    if (!isPlainObject(entry) || typeof index !== "number") continue;
    if (index < calls) rejected.set(index, told(entry, "rejected", "The server refused this call."));
  }
  return rejected;
}

function readObjection(status: number, body: string): Objection {
  const error = parse(body)?.["error"];
  return told(isPlainObject(error) ? error : {}, String(status), `The server answered ${String(status)}.`);
}

function told(error: JsonObject, code: string, message: string): Objection {
  return { code: textOr(error["code"], code), message: textOr(error["message"], message) };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_TOLD_LENGTH) : otherwise;
}

function parse(body: string): JsonObject | undefined {
  if (body === "") return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
