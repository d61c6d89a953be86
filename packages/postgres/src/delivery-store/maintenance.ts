// Ends, brings forward and sweeps deliveries, each by calls of functions. A sweep removes leaves as a whole, in steps, and deliveries
// that are dead or kept beyond their leaf row by row.

import type { EndRequest, EpochMs, PullInRequest, SweepRequest } from "@postrider/core";
import { toLimit } from "../wire/values.js";
import { readDigits, readFlag } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import { codeOfReason } from "./codes.js";
import type { Functions } from "./functions.js";

/** Ends deliveries of a lane. */
export async function end(store: Functions, request: EndRequest, now: EpochMs): Promise<number> {
  const { lane, reason, detail, firstAttemptBefore, acceptedBefore, limit } = request;
  const laneNumber = await store.names.lanes([lane]);
  return count(store, "end_lane($1, $2, $3, $4, $5, $6, $7, $8)", [
    store.bucket,
    store.timeFor(now),
    laneNumber(lane),
    codeOfReason(reason),
    detail === undefined ? null : encodeAnyText(detail),
    firstAttemptBefore ?? null,
    acceptedBefore ?? null,
    toLimit(limit),
  ]);
}

/** Brings deliveries of a lane forward. */
export async function pullIn(
  store: Functions,
  { lane, dueAfter, dueAt, limit }: PullInRequest,
  now: EpochMs,
): Promise<number> {
  const laneNumber = await store.names.lanes([lane]);
  return count(store, "pull_in($1, $2, $3, $4, $5, $6)", [
    store.bucket,
    store.timeFor(now),
    laneNumber(lane),
    dueAfter,
    dueAt,
    toLimit(limit),
  ]);
}

async function count({ connection, schema }: Functions, call: string, values: readonly unknown[]): Promise<number> {
  const [row] = await connection.work(`select ${schema}.${call} as count`, values);
  return readDigits(row ?? {}, "count");
}

/** A leaf is written to for a sixth of the retention of delivered deliveries; seven of eight leaves hold retained ones. */
const LEAF_PARTS = 6;

/** The number of messages of a leaf in a step. A step holds up requests about users and replays, and these hold up commits. */
const MESSAGES_OF_A_STEP = 5_000;

/** The most steps of one call; the next call goes on. */
const STEPS = 40;

/** Needed for a sweep. */
interface SweepStore extends Functions {
  /** The time for which a leaf is written to; a part of the retention if undefined. */
  readonly leafMs: number | undefined;
}

/**
 * Removes finished deliveries, and returns their number. A leaf goes as a whole. Dead ones, and those that are kept beyond their leaf, go
 * up to the limit, in a call that has swept nothing with leaves.
 */
export async function sweep(store: SweepStore, request: SweepRequest, now: EpochMs): Promise<number> {
  const boundedRequest = { ...request, limit: toLimit(request.limit) };
  let swept = 0;
  try {
    for await (const count of leafSteps(store, boundedRequest, now)) swept += count;
    return swept > 0 ? swept : await sweepRows(store, boundedRequest);
  } catch (error) {
    // A sweep that rejects must have removed nothing.
    if (swept > 0) return swept;
    throw error;
  }
}

/** Yields the number of deliveries that each step has swept, until the limit is reached or nothing is left to do. */
async function* leafSteps(
  { connection, schema, bucket, timeFor, leafMs }: SweepStore,
  { deliveredBefore, deadBefore, limit }: SweepRequest,
  now: EpochMs,
): AsyncGenerator<number> {
  const everyMs = leafMs ?? Math.max(1, Math.floor((now - deliveredBefore) / LEAF_PARTS));
  const values = [bucket, timeFor(now), everyMs, deliveredBefore, deadBefore, MESSAGES_OF_A_STEP];
  const call = `select swept, is_done from ${schema}.tend_leaves($1, $2, $3, $4, $5, $6)`;
  let swept = 0;
  for (let step = 0; step < STEPS && swept < limit; step += 1) {
    const [row = {}] = await connection.work(call, values);
    const count = readDigits(row, "swept");
    swept += count;
    yield count;
    if (readFlag(row, "is_done")) return;
  }
}

async function sweepRows(
  { connection, schema, bucket }: Functions,
  { deliveredBefore, deadBefore, limit }: SweepRequest,
): Promise<number> {
  const values = [bucket, deliveredBefore, deadBefore, limit];
  const [row = {}] = await connection.work(`select ${schema}.sweep($1, $2, $3, $4) as count`, values);
  return readDigits(row, "count");
}
