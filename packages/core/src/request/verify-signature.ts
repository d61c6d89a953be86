// Verifies a signature as a receiver does, in a time that does not depend on where it differs
// (spec, webhook destination §5, rule 3).

import { timingSafeEqual } from "node:crypto";
import { signBody } from "./sign-body.js";
import { signedBytes } from "./signed-bytes.js";

const encoder = new TextEncoder();

/**
 * Whether `signature`, the X-Signature header as it came, belongs to these bytes. Hand in the raw bytes of the request:
 * another language's JSON writer may not write the same text. Text is taken as its UTF-8; anything else, such as a parsed
 * object, is a TypeError that says so.
 */
export function verifySignature(secret: string, body: Uint8Array | string, signature: string | undefined): boolean {
  const bytes = signedBytes(body);
  // An empty secret is one that nobody set, and anyone can sign with it.
  if (signature === undefined || secret === "") return false;
  const expected = encoder.encode(signBody(secret, bytes));
  const given = encoder.encode(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
