import { epochMs } from "@postrider/core";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkPair } from "../../../../packages/postrider/src/server/tls/tls-pair.js";
import { AUTHORITY, HOSTS } from "./pair-files.js";

const FILES = { certFile: "tls.crt", keyFile: "tls.key" };
const NOW = epochMs(Date.parse("2026-01-01T00:00:00Z"));
const good = AUTHORITY.issue(HOSTS);
const other = AUTHORITY.issue(HOSTS);
const weak = AUTHORITY.issue({ ...HOSTS, isWeak: true });

function encrypted(key: string, type: "pkcs8" | "sec1"): string {
  const options = { format: "pem", cipher: "aes-256-cbc", passphrase: "open sesame" } as const;
  return createPrivateKey(key).export({ type, ...options }) as string;
}

/** What is wrong with a pair, the text of which differs from a good one in this. */
function reasonOf(changes: { readonly cert?: string; readonly key?: string }, now = NOW): string {
  const checked = checkPair(FILES, { ...good, ...changes }, now);
  return checked.kind === "refused" ? checked.reason : "good";
}

describe("a certificate and its key", () => {
  it("may be served if they belong together and are in force, until the certificate expires", () => {
    const validUntil = Date.parse("2026-03-01T12:00:00Z");
    const pair = AUTHORITY.issue({ ...HOSTS, notAfter: new Date(validUntil) });
    expect(checkPair(FILES, pair, NOW)).toEqual({ kind: "ok", pair: { ...pair, validUntil } });
    expect(checkPair(FILES, pair, epochMs(validUntil)).kind).toBe("ok");
    expect(checkPair(FILES, pair, epochMs(validUntil + 1)).kind).toBe("refused");
  });

  it("may be followed by those of its authorities, and have any text around them", () => {
    expect(reasonOf({ cert: `subject: a\n${good.cert}\nissuer: b\n${AUTHORITY.cert}` })).toBe("good");
    expect(reasonOf({ key: `a note\n${good.key}` })).toBe("good");
  });

  it("may share one file", () => {
    const both = `${good.key}${good.cert}`;
    expect(reasonOf({ cert: both, key: both })).toBe("good");
  });

  it.each([
    ["a key of another certificate", { key: other.key }, "tls.key is not the key of the certificate in tls.crt"],
    [
      "the right certificate behind that of the authority",
      { cert: `${AUTHORITY.cert}${good.cert}` },
      "tls.crt: the certificate that belongs to tls.key must be the first of the file",
    ],
    ["an empty certificate file", { cert: "" }, "tls.crt has no whole certificate as PEM text"],
    [
      "a certificate that was cut off",
      { cert: good.cert.slice(0, 300) },
      "tls.crt has no whole certificate as PEM text",
    ],
    ["a certificate file with a key", { cert: good.key }, "tls.crt has a private key and no certificate"],
    [
      "a certificate of which a line is missing",
      { cert: good.cert.replace(/\n.*\n/, "\n") },
      "tls.crt: certificate 1 of the file is malformed",
    ],
    [
      "a malformed certificate of an authority",
      { cert: `${good.cert}${AUTHORITY.cert.replace(/\n.*\n/, "\n")}` },
      "tls.crt: certificate 2 of the file is malformed",
    ],
    ["an empty key file", { key: "" }, "tls.key has no private key as PEM text"],
    ["a key file with a certificate", { key: good.cert }, "tls.key has no private key as PEM text"],
    [
      "a public key",
      { key: createPublicKey(good.key).export({ type: "spki", format: "pem" }) as string },
      "tls.key has no private key as PEM text",
    ],
    ["a malformed key", { key: good.key.replace(/\n.*\n/, "\n") }, "tls.key: its private key is malformed"],
    [
      "an encrypted key",
      { key: encrypted(good.key, "pkcs8") },
      "tls.key has an encrypted key; decrypt it first, since no passphrase is asked for",
    ],
    [
      "an encrypted key in the older form",
      { key: encrypted(good.key, "sec1") },
      "tls.key has an encrypted key; decrypt it first, since no passphrase is asked for",
    ],
    ["a key that is too short", weak, "tls.key has a key of 1024 bits; callers refuse fewer than 2048"],
    [
      "what only OpenSSL finds",
      { cert: `${good.cert}-----BEGIN X509 CERTIFICATE-----\nAAAA\n-----END X509 CERTIFICATE-----\n` },
      expect.stringMatching(/^tls.crt is refused by OpenSSL: \w+/),
    ],
  ])("are refused for %s", (_, changes, reason) => {
    expect(reasonOf(changes)).toEqual(reason);
  });

  it("are refused when they have expired, and before they are valid, with the instant", () => {
    const expired = AUTHORITY.issue({ ...HOSTS, notAfter: new Date("2025-12-31T23:59:59Z") });
    expect(reasonOf(expired)).toBe("tls.crt has expired: it was valid until 2025-12-31T23:59:59.000Z");
    const early = AUTHORITY.issue({ ...HOSTS, notBefore: new Date("2026-01-01T00:00:01Z") });
    expect(reasonOf(early)).toBe("tls.crt is not valid before 2026-01-01T00:00:01.000Z");
  });

  it("are refused without a part of their text", () => {
    const secret = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    const reason = reasonOf({ key: secret });
    expect(reason).not.toContain(secret.split("\n")[1]);
  });
});
