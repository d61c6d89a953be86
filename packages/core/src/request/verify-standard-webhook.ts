// Verifies a message by Standard Webhooks as a receiver does: recent, and signed with one of the secrets it knows, in a
// time that does not depend on where signatures differ.

import { timingSafeEqual } from "node:crypto";
import { standardSignature } from "./sign-standard-webhook.js";
import { signedBytes } from "./signed-bytes.js";

/** The headers as they came. */
export interface StandardWebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

export type StandardVerdict =
  | { readonly kind: "valid" }
  | {
      readonly kind: "invalid";
      readonly reason: "missing-header" | "bad-timestamp" | "too-old" | "too-new" | "no-match";
    };

/** How far the sender's clock and the way may be off, as the libraries of Standard Webhooks allow. */
const TOLERANCE_MS = 300_000;
const SECONDS = /^\d{1,12}$/;

const encoder = new TextEncoder();

/**
 * Whether these bytes were signed with one of these secrets within five minutes of `now`, in milliseconds since 1970 as
 * `Date.now()` gives them. Hand in the raw bytes of the request; while a secret is being changed, hand in both.
 * Text is taken as its UTF-8; anything else, such as a parsed object, is a TypeError that says so.
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
    // An empty secret is one that nobody set, and anyone can sign with it.
    if (secret === "") return false;
    const expected = encoder.encode(standardSignature(secret, `${id}.${timestamp}.`, bytes));
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  return isSigned ? { kind: "valid" } : invalid("no-match");
}

function invalid(reason: Extract<StandardVerdict, { readonly kind: "invalid" }>["reason"]): StandardVerdict {
  return { kind: "invalid", reason };
}
