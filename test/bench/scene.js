// The settings that all arms share: callers, their key, and the secret with which receivers verify signatures.

export const SOURCE = "website";
export const WRITE_KEY = "bench-write-key";
export const DESTINATION = "crm";
export const SECRET = "bench-shared-secret";
export const API_TOKEN = "bench-of-the-api-token";

export function authorization(writeKey = WRITE_KEY) {
  return `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
}

/**
 * A config of `postrider serve` without its store: `sources` sources, each with a separate destination. `ca` is the certificate by which
 * receivers are known, if they speak TLS.
 */
export function configFor(receiverUrl, { sources = 1, pathOf = () => "/", more = [], ca } = {}) {
  const indexes = Array.from({ length: sources }, (_, index) => index);
  return {
    listen: { host: "127.0.0.1", port: 0 },
    apiToken: API_TOKEN,
    sources: indexes.map((index) => ({ id: sourceOf(index), writeKey: keyOf(index) })),
    destinations: [
      ...indexes.map((index) => ({
        id: destinationOf(index),
        sources: [sourceOf(index)],
        sharedSecret: SECRET,
        endpoints: [{ url: `${receiverUrl}${pathOf(index)}` }],
      })),
      ...more,
    ],
    network: { allow: ["127.0.0.0/8"], ...(ca === undefined ? {} : { ca: [ca] }) },
  };
}

/** The first has the plain name. */
export function sourceOf(index) {
  return index === 0 ? SOURCE : `${SOURCE}-${index}`;
}

export function keyOf(index) {
  return index === 0 ? WRITE_KEY : `${WRITE_KEY}-${index}`;
}

export function destinationOf(index) {
  return index === 0 ? DESTINATION : `${DESTINATION}-${index}`;
}
