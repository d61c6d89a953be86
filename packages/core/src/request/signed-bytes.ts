// Checks the body that a receiver passes for verification. It must be the raw bytes: they cannot be restored from a parsed
// object. Passing an object is a bug of the receiver, and the answer "invalid" would look like a wrong secret, so this
// function throws. The only other `throw` of core is in demand-numbers.ts.

const encoder = new TextEncoder();

const EXPECTED =
  "expected the raw body of the request, as bytes or as text: the signature covers the bytes that were sent, not a parsed object. " +
  "Read the body before a JSON parser does, as with express.raw({ type: '*/*' })";

/** The bytes themselves, or the UTF-8 bytes of a text. Throws a TypeError for anything else, such as a parsed object. */
export function signedBytes(body: Uint8Array | string): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  // Not `instanceof`: another realm, such as that of a test runner, has another Uint8Array.
  if (ArrayBuffer.isView(body)) return body;
  // eslint-disable-next-line no-restricted-syntax -- a bug of the host, not an outcome: see above
  throw new TypeError(EXPECTED);
}
