// Verifies the X-Signature of a request (spec, webhook destination §5, rule 3) or a message by Standard Webhooks, for
// receivers, in constant time. The body must be the raw bytes: they cannot be restored from a parsed object, and the answer
// "invalid" would look like a wrong secret, so an object is refused by a throw. Has no clock: `now` is an argument.

import { timingSafeEqual } from "node:crypto";
import { signBody } from "./sign-body.js";
import { standardSignature } from "./sign-standard-webhook.js";

/** The largest difference between the timestamp and `now`, as in the libraries of Standard Webhooks. */
const TOLERANCE_MS = 300_000;

const SECONDS = /^\d{1,12}$/;

const EXPECTED =
  "expected the raw body of the request, as bytes or as text: the signature covers the bytes that were sent, not a parsed object. " +
  "Read the body before a JSON parser does, as with express.raw({ type: '*/*' })";

const encoder = new TextEncoder();

/**
 * Returns true if `signature`, the unchanged X-Signature header, belongs to this body under the secret. False if the header is missing, if
 * there are several, which Node shows as a list, or if the secret is empty. Pass the raw bytes of the request, since JSON that was parsed
 * and written again may differ; a string counts as UTF-8. Throws a TypeError for any other body, such as a parsed object.
 */
export function verifySignature(
  secret: string,
  body: Uint8Array | string,
  signature: string | readonly string[] | undefined,
): boolean {
  const bytes = signedBytes(body);
  // An empty secret is most likely a missing setting, and any sender could sign with it.
  if (typeof signature !== "string" || secret === "") return false;
  const expected = encoder.encode(signBody(secret, bytes));
  const actual = encoder.encode(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The unchanged headers webhook-id, webhook-timestamp and webhook-signature. */
export interface StandardWebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** The result of a check: the request is signed, or the reason for which it is not. A receiver answers 401 to an invalid one. */
type StandardVerdict =
  | { readonly kind: "valid" }
  | {
      readonly kind: "invalid";
      readonly reason: "missing-header" | "bad-timestamp" | "too-old" | "too-new" | "no-match";
    };

/**
 * Checks that this body was signed with one of these secrets, with a timestamp within five minutes of `now` (milliseconds since 1970, as
 * from `Date.now()`). Pass the raw bytes of the request; a string counts as UTF-8. While a secret is being rotated, pass the old and the
 * new one. Throws a TypeError for any other body, such as a parsed object.
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

  const signatures = signature.split(" ").map((text) => encoder.encode(text));
  const isSigned = secrets.some((secret) => {
    // An empty secret is most likely a missing setting, and any sender could sign with it.
    if (secret === "") return false;
    const expected = encoder.encode(standardSignature(secret, `${id}.${timestamp}.`, bytes));
    return signatures.some((actual) => actual.length === expected.length && timingSafeEqual(actual, expected));
  });
  return isSigned ? { kind: "valid" } : invalid("no-match");
}

function invalid(reason: Extract<StandardVerdict, { readonly kind: "invalid" }>["reason"]): StandardVerdict {
  return { kind: "invalid", reason };
}

/** The bytes themselves, or the UTF-8 bytes of a text. Throws a TypeError for anything else, such as a parsed object. */
function signedBytes(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  // Not `instanceof`: another realm, such as that of a test runner, has another Uint8Array.
  if (ArrayBuffer.isView(body)) return body;
  // eslint-disable-next-line no-restricted-syntax -- a bug of the host, not an outcome: see above
  throw new TypeError(EXPECTED);
}
