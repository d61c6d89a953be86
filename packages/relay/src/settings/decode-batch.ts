// Decides whether a value is the envelope of a batch (decision: request limits). Its calls are passed on as they are;
// each is decoded separately, so that an invalid call does not affect the others.

import { type JsonObject, MAX_BATCH_CALLS } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { Batch, BatchRefusalCode, DecodedBatch } from "./decoded.js";
import { instant, type Leaf, object, textOrAbsent, ownField } from "./lenient.js";

/** The fields that a batch may set for all of its calls, in the order in which they are checked. */
const SHARED_FIELDS = ["context", "integrations"] as const;

/**
 * Reads a batch. Null is treated as absent. A `context` or `integrations` that is no object refuses the batch, as it would refuse each
 * call: otherwise a destination that the caller meant to switch off could get the calls. A `sentAt` or a `writeKey` that cannot be read is
 * treated as absent, and `isSentAtUnread` reports such a `sentAt`.
 */
export function decodeBatch(value: unknown): DecodedBatch {
  try {
    return isPlainObject(value) ? decodeObject(value) : refusal("bad-batch", "", "an object");
  } catch {
    // JSON cannot throw when it is read; a host's object with a getter or a proxy can.
    return refusal("bad-batch", "", "an object of plain data");
  }
}

function decodeObject(input: JsonObject): DecodedBatch {
  const calls = ownField(input, "batch");
  if (!Array.isArray(calls)) return refusal("bad-batch", "batch", "a list of calls");
  if (calls.length === 0) return refusal("empty-batch", "batch", "at least 1 call");
  if (calls.length > MAX_BATCH_CALLS) {
    return refusal("too-many-calls", "batch", `at most ${String(MAX_BATCH_CALLS)} calls`);
  }
  const brokenField = SHARED_FIELDS.find((name) => isBroken(object, ownField(input, name)));
  if (brokenField !== undefined) return refusal("bad-batch", brokenField, object.name);
  return { kind: "ok", batch: { calls, ...sharedBy(input) } };
}

function sharedBy(input: JsonObject): Omit<Batch, "calls"> {
  const context = readField(input, "context", object);
  const integrations = readField(input, "integrations", object);
  const sentAt = readField(input, "sentAt", instant);
  const writeKey = readField(input, "writeKey", textOrAbsent);
  return {
    ...(context === undefined ? {} : { context }),
    ...(integrations === undefined ? {} : { integrations }),
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(sentAt === undefined && isBroken(instant, ownField(input, "sentAt")) ? { isSentAtUnread: true } : {}),
    ...(writeKey === undefined ? {} : { writeKey }),
  };
}

/** The field as `leaf` reads it; undefined if it cannot be read. */
function readField<A>(input: JsonObject, name: string, leaf: Leaf<A>): A | undefined {
  const validation = leaf.validate(ownField(input, name), []);
  return isRight(validation) ? validation.right : undefined;
}

function isBroken<A>(leaf: Leaf<A>, value: unknown): boolean {
  return value !== undefined && value !== null && isLeft(leaf.validate(value, []));
}

function refusal(code: BatchRefusalCode, path: string, expected: string): DecodedBatch {
  return { kind: "refused", code, path, expected };
}
