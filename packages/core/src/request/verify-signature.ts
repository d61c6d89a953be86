// Verifies the X-Signature of a request, for receivers, in constant time (spec, webhook destination §5, rule 3). Must not
// know what the body means.

import { timingSafeEqual } from "node:crypto";
import { signBody } from "./sign-body.js";
import { signedBytes } from "./signed-bytes.js";

const encoder = new TextEncoder();

/**
 * Whether `signature`, the unchanged X-Signature header, belongs to this body under the secret. False if the header is missing
 * or the secret is empty. Pass the raw bytes of the request, since JSON that was parsed and written again may differ; a string
 * counts as UTF-8. False for several headers, which Node shows as a list. Throws a TypeError for any other body, such as a
 * parsed object.
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
  const given = encoder.encode(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
