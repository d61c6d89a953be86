// Replies that a receiver may give: every kind of status, every kind of silence.

import { FAULTS, MAX_EXCERPT_BYTES, type Reply } from "@postrider/core";
import fc, { type Arbitrary } from "fast-check";

const RETRY_AFTER = ["0", "1", "120", "86400", "99999999999", "-1", "soon", "Wed, 21 Oct 2065 07:28:00 GMT", ""];

/** Any reply that the HTTP port can give. */
export function replies(): Arbitrary<Reply> {
  return fc.oneof(answers(fc.integer({ min: 200, max: 599 })), silences());
}

/**
 * Replies with the verdict `retry`: 5xx, 408, 423, 425, 429, or silence. No fault is `local`, or one that counts as a refusal, such
 * as `self-signed`.
 */
export function retryableReplies(): Arbitrary<Reply> {
  const status = fc.oneof(fc.integer({ min: 500, max: 599 }), fc.constantFrom(408, 423, 425, 429));
  const lasting = ["self-signed", "forbidden-address", "invalid-header", "local"];
  const passing = silences().filter((reply) => reply.kind === "silent" && !lasting.includes(reply.fault));
  return fc.oneof(answers(status), passing);
}

function answers(statuses: Arbitrary<number>): Arbitrary<Reply> {
  return fc.record(
    {
      kind: fc.constant("answered" as const),
      status: statuses,
      afterMs: durations(),
      retryAfter: fc.constantFrom(...RETRY_AFTER),
      excerpt: fc.uint8Array({ maxLength: 16 }).map((bytes) => bytes.slice(0, MAX_EXCERPT_BYTES)),
    },
    { requiredKeys: ["kind", "status", "afterMs", "excerpt"] },
  );
}

function silences(): Arbitrary<Reply> {
  return fc.record({ kind: fc.constant("silent" as const), fault: fc.constantFrom(...FAULTS), afterMs: durations() });
}

function durations(): Arbitrary<number> {
  return fc.double({ min: 0, max: 5_000, noNaN: true });
}
