// Verifies a message by Standard Webhooks, for receivers: the message must be recent, and signed with one of the given
// secrets. Compares in constant time. Has no clock: `now` is an argument.

import { timingSafeEqual } from "node:crypto";
import { standardSignature } from "./sign-standard-webhook.js";
import { signedBytes } from "./signed-bytes.js";

/** The unchanged headers webhook-id, webhook-timestamp and webhook-signature. */
export interface StandardWebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** Whether a request is signed, and if not, why not. A receiver answers 401 to an invalid one. */
export type StandardVerdict =
  | { readonly kind: "valid" }
  | {
      readonly kind: "invalid";
      readonly reason: "missing-header" | "bad-timestamp" | "too-old" | "too-new" | "no-match";
    };

/** The largest difference between the timestamp and `now`, as in the libraries of Standard Webhooks. */
const TOLERANCE_MS = 300_000;
const SECONDS = /^\d{1,12}$/;

const encoder = new TextEncoder();

/**
 * Whether this body was signed with one of these secrets, with a timestamp within five minutes of `now` (milliseconds since
 * 1970, as from `Date.now()`). Pass the raw bytes of the request; a string counts as UTF-8. While a secret is being rotated,
 * pass the old and the new one. Throws a TypeError for any other body, such as a parsed object.
 */
export function verifyStandardWebhook(
  secrets: readonly string[],
  body: Uint8Array | string,
  { id, timestamp, signature }: StandardWebhookHeaders,
  now: number,
): StandardVerdict {
  const bytes = signedBytes(body);
  if (id === undefined || timestamp === undefined || signature === undefined) return invalid("missing-header");
  if (!SECONDS.test(timestamp)) return invalid("bad-timestamp");
  const age = now - Number(timestamp) * 1_000;
  if (Math.abs(age) > TOLERANCE_MS) return invalid(age > 0 ? "too-old" : "too-new");

  const given = signature.split(" ").map((one) => encoder.encode(one));
  const isSigned = secrets.some((secret) => {
    // An empty secret is most likely a missing setting, and any sender could sign with it.
    if (secret === "") return false;
    const expected = encoder.encode(standardSignature(secret, `${id}.${timestamp}.`, bytes));
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  return isSigned ? { kind: "valid" } : invalid("no-match");
}

function invalid(reason: Extract<StandardVerdict, { readonly kind: "invalid" }>["reason"]): StandardVerdict {
  return { kind: "invalid", reason };
}
