// Decides how many queued calls go into the next batch, and writes its body: as many as fit, in order, within the limit of a
// request (spec, client library §8: 500 KB; the client fills 500,000 bytes).

import type { EpochMs } from "../ids.js";
import { MAX_CLIENT_BATCH_BYTES } from "../limits.js";
import { formatWithDate } from "../time/format-with-date.js";

/**
 * How many of the first calls fit into one batch: at most `flushAt`. At least 1 unless there are no calls, since a call is
 * far smaller than a batch. `bytes` are the UTF-8 bytes of a call's JSON text.
 */
export function packBatch(calls: Iterable<{ readonly bytes: number }>, flushAt: number): number {
  let count = 0;
  let bytes = ENVELOPE_BYTES;
  for (const call of calls) {
    bytes += call.bytes + 1;
    if (count === flushAt || bytes > MAX_CLIENT_BATCH_BYTES) return count;
    count += 1;
  }
  return count;
}

/** The body of a batch request, as JSON text. `sentAt` is the time of this try: the server uses it to correct clock skew. */
export function writeBatch(calls: readonly { readonly json: string }[], sentAt: EpochMs): string {
  return `{"sentAt":"${formatWithDate(sentAt)}","batch":[${calls.map(({ json }) => json).join(",")}]}`;
}

/** The bytes of a batch without its calls and their commas. */
const ENVELOPE_BYTES = `{"sentAt":"2026-01-31T12:00:00.000Z","batch":[]}`.length;
