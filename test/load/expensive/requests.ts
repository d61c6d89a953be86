// Requests within the limits of bytes and calls that are as expensive as possible: a plan is drawn, which can be printed,
// and the bytes are made from the plan. Each has its expected answer.

import { gzipSync } from "node:zlib";
import { MAX_BATCH_BYTES, MAX_BATCH_CALLS } from "@postrider/core";
import fc from "fast-check";
import { MAX_REJECTED_ENTRY_BYTES } from "../../../packages/http/src/ingest/limits.js";
import { bodyOf, type Expected, SHAPE_NAMES, type ShapeName } from "./bodies.js";
import { CONTENT_NAMES, type ContentName } from "./contents.js";

/** An answer names every refused call by index and code, and gives reasons up to a bound. */
export const MAX_ANSWER_BYTES: number = MAX_REJECTED_ENTRY_BYTES + MAX_BATCH_CALLS * 64;

/** The sources, by the number of destinations that each is connected to. */
export const REACHES = { one: 1, hundred: 100, "ten thousand": 10_000 } as const;
export type Reach = keyof typeof REACHES;

/** The plan of a request, as drawn. */
export interface Plan {
  readonly shape: ShapeName;
  readonly content: ContentName;
  readonly reach: Reach;
  readonly calls: number;
  /** The size of the shared fields, or of each call. */
  readonly bytes: number;
  readonly key: "head" | "body" | "query";
  readonly zip: "plain" | "gzip" | "gzip in parts";
  /**
   * Calls with fresh ids are stored; those of a pool are duplicates of earlier calls, and cost the same until that is found.
   */
  readonly isFresh: boolean;
}

export interface ExpensiveRequest {
  readonly plan: Plan;
  readonly path: string;
  /** The key in the header; undefined if the key is elsewhere. */
  readonly authorization: string | undefined;
  readonly bytes: Uint8Array;
  readonly expected: Expected;
}

export interface Caps {
  /** The most deliveries of one request, and the most bytes of their bodies. */
  readonly units: number;
  readonly bodyBytes: number;
  /** The same for a request whose calls are stored. */
  readonly freshUnits: number;
  readonly freshBytes: number;
}

/** Mostly the maximum: the cost that a limit allows is reached at that limit. */
export function plans(shapes: readonly ShapeName[] = SHAPE_NAMES): fc.Arbitrary<Plan> {
  return fc.record({
    shape: fc.constantFrom(...shapes),
    content: fc.constantFrom(...CONTENT_NAMES),
    reach: fc.constantFrom<Reach>("one", "hundred", "ten thousand"),
    calls: mostly(MAX_BATCH_CALLS, fc.integer({ min: 1, max: MAX_BATCH_CALLS })),
    bytes: mostly(MAX_BATCH_BYTES, fc.integer({ min: 256, max: 40_000 })),
    key: fc.constantFrom("head", "head", "body", "query"),
    zip: fc.constantFrom("plain", "gzip", "gzip", "gzip in parts"),
    isFresh: fc.boolean(),
  });
}

/** The maximum of each part. */
export function wholePlan(shape: ShapeName, reach: Reach): Plan {
  const sizes = { calls: MAX_BATCH_CALLS, bytes: MAX_BATCH_BYTES };
  return { shape, reach, ...sizes, content: "a key for each value", key: "head", zip: "plain", isFresh: true };
}

function mostly(most: number, other: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return fc.oneof({ arbitrary: fc.constant(most), weight: 2 }, { arbitrary: other, weight: 1 });
}

/** `keyOf` names the write key of a source; `tag` makes the ids of fresh calls unique. */
export function requestOf(plan: Plan, tag: string, { caps, keyOf }: Making): ExpensiveRequest {
  const key = plan.shape === "wrong key" ? "wrong" : keyOf(plan.reach);
  const keyField = plan.key === "body" ? `"writeKey":"${key}",` : "";
  const { text, expected, isBatch = true } = bodyOf(plan, { keyField, caps, tag, destinations: REACHES[plan.reach] });
  const query = plan.key === "query" && isBatch;
  return {
    plan,
    path: isBatch ? (query ? `/beacon/v1/batch?writeKey=${key}` : "/v1/batch") : "/v1/track",
    authorization: plan.key === "body" || query ? undefined : `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    bytes: zipped(text, plan.zip),
    expected,
  };
}

export interface Making {
  readonly caps: Caps;
  readonly keyOf: (reach: Reach) => string;
}

/** Several gzip members in a row are valid gzip. */
const PARTS = 500;

function zipped(text: Buffer, zip: Plan["zip"]): Uint8Array {
  const isTooLong = text.length > MAX_BATCH_BYTES;
  if (zip === "plain" && !isTooLong) return text;
  if (zip === "gzip in parts" && !isTooLong) {
    const size = Math.max(1, Math.ceil(text.length / PARTS));
    const starts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => index * size);
    const parts = Buffer.concat(starts.map((from) => gzipSync(text.subarray(from, from + size), { level: 1 })));
    return parts.length <= MAX_BATCH_BYTES ? parts : gzipSync(text, { level: 1 });
  }
  return gzipSync(text, { level: 1 });
}
