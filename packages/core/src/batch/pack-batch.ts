// Decides how many of the calls that wait make the next batch, and writes it: as many as fit, in their order, never more
// than the request may hold (spec, client library §8: 500 KB, of which we fill 500,000 bytes).

import type { EpochMs } from "../ids.js";
import { MAX_SENT_BYTES } from "../limits.js";
import { formatPlainly } from "../time/format-plainly.js";

/** How many of the first calls go together: at least one of any, since no call is as large as a batch. */
export function packBatch(calls: Iterable<{ readonly bytes: number }>, flushAt: number): number {
  let count = 0;
  let bytes = ENVELOPE_BYTES;
  for (const call of calls) {
    bytes += call.bytes + 1;
    if (count === flushAt || bytes > MAX_SENT_BYTES) return count;
    count += 1;
  }
  return count;
}

/** The body of a batch. `sentAt` is the time of this very try: the server corrects the calls' times by it. */
export function writeBatch(calls: readonly { readonly json: string }[], sentAt: EpochMs): string {
  return `{"sentAt":"${formatPlainly(sentAt)}","batch":[${calls.map(({ json }) => json).join(",")}]}`;
}

/** What a batch takes besides its calls and the comma that each is given. */
const ENVELOPE_BYTES = `{"sentAt":"2026-01-31T12:00:00.000Z","batch":[]}`.length;
