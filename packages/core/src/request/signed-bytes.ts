// The bytes that a receiver hands in to have their signature verified. What was parsed cannot be turned back into them, and
// a receiver that hands it in has a bug which no answer would show it: a plain no would look like a wrong secret. So this
// one place of core throws, in words, where the platform's own hash would have thrown in its own.

const encoder = new TextEncoder();

const EXPECTED =
  "expected the raw body of the request, as bytes or as text: the signature covers what was sent, and not what was parsed of it. " +
  "Read the body before a JSON parser does, as with express.raw({ type: '*/*' })";

/** The bytes as they are, or those of a text in UTF-8. Throws a TypeError for anything else, such as a parsed object. */
export function signedBytes(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  // Not by its class: a test runner's realm has a Uint8Array of its own.
  if (ArrayBuffer.isView(body)) return body;
  // eslint-disable-next-line no-restricted-syntax -- the bug of a host, not an outcome: see above
  throw new TypeError(EXPECTED);
}
