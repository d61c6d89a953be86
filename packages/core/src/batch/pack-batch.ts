// Decides how many queued calls go into the next batch, and writes its body: as many as fit, in order, within the limit of a
// request (spec, client library §8: 500 KB; the client fills 500,000 bytes).

import { isObject } from "../call/host-value.js";
import type { EpochMs } from "../ids.js";
import { utf8Length } from "../intake/measure.js";
import { MAX_CALL_BYTES, MAX_CLIENT_BATCH_BYTES } from "../limits.js";
import type { KeptCall } from "../ports/call-storage.js";
import { formatWithDate } from "../time/format-with-date.js";
import type { SerializedCall } from "./write-call.js";

/**
 * The number of calls, from the first, that fit into one batch: at most `flushAt`. At least 1 unless there are no calls, since a call is
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

/**
 * A stored call with the size of its text. Undefined if the text is not one JSON object of the size of a call: it would spoil its batch.
 * The server judges the content of the object. Never throws.
 */
export function readKeptCall({ messageId, type, json }: KeptCall): SerializedCall | undefined {
  try {
    const bytes = utf8Length(json);
    return bytes <= MAX_CALL_BYTES && isObject(JSON.parse(json)) ? { messageId, type, json, bytes } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The body of a batch request, as JSON text. `sentAt` is the time of this try: the server uses it to correct clock skew. The write key
 * is in the body of a beacon, which can have no header for it.
 */
export function writeBatch(calls: readonly { readonly json: string }[], sentAt: EpochMs, writeKey?: string): string {
  const key = writeKey === undefined ? "" : `"writeKey":${JSON.stringify(writeKey)},`;
  return `{${key}"sentAt":"${formatWithDate(sentAt)}","batch":[${calls.map(({ json }) => json).join(",")}]}`;
}

/** The bytes of a batch without its calls, their commas and a write key: the server takes 12,000 bytes more than the client fills. */
const ENVELOPE_BYTES = `{"sentAt":"2026-01-31T12:00:00.000Z","batch":[]}`.length;
