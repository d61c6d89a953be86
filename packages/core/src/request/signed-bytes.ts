// Checks the body that a receiver passes to be verified: the raw bytes are needed, and a parsed object cannot be turned back
// into them. Passing one is a bug of the receiver that the answer "invalid" would not show, since it looks like a wrong
// secret. So this is the only place in core that throws.

const encoder = new TextEncoder();

const EXPECTED =
  "expected the raw body of the request, as bytes or as text: the signature covers what was sent, and not what was parsed of it. " +
  "Read the body before a JSON parser does, as with express.raw({ type: '*/*' })";

/** The bytes themselves, or the UTF-8 bytes of a text. Throws a TypeError for anything else, such as a parsed object. */
export function signedBytes(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  // Not `instanceof`: another realm, such as that of a test runner, has another Uint8Array.
  if (ArrayBuffer.isView(body)) return body;
  // eslint-disable-next-line no-restricted-syntax -- a bug of the host, not an outcome: see above
  throw new TypeError(EXPECTED);
}
