// Checks the text of a certificate and of its key before a server uses them, and says in words which file is wrong, and why
// (decision: server certificates). Reads no file.

import { type EpochMs, epochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { secureContextOptions } from "./secure-context-options.js";
import type { TlsFiles, TlsPair } from "./tls-pair.js";

export type TlsPairResult =
  { readonly kind: "ok"; readonly pair: TlsPair } | { readonly kind: "refused"; readonly reason: string };

/** Bits of an RSA key: with fewer, the TLS libraries of callers refuse the certificate. */
const MIN_RSA_BITS = 2_048;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** The pair, or the first thing that is wrong with it. The reason names files and instants, and no part of their texts. */
export function checkPair(files: TlsFiles, texts: Pick<TlsPair, "cert" | "key">, now: EpochMs): TlsPairResult {
  const chain = readChain(files.certFile, texts.cert);
  if (typeof chain === "string") return refused(chain);
  const [leaf] = chain;
  const key = readKey(files.keyFile, texts.key);
  if (typeof key === "string") return refused(key);
  const problem =
    mismatchOf(files, chain, key) ?? timeProblem(files.certFile, leaf, now) ?? contextProblem(files, texts);
  return problem === undefined
    ? { kind: "ok", pair: { cert: texts.cert, key: texts.key, validUntil: instantOf(leaf.validTo) } }
    : refused(problem);
}

type Chain = readonly [X509Certificate, ...X509Certificate[]];

/** The certificates of a file, that of the server first; or what is wrong with them. */
function readChain(file: string, text: string): Chain | string {
  const found = text.match(CERTIFICATE) ?? [];
  const chain: X509Certificate[] = [];
  for (const [index, pem] of found.entries()) {
    const certificate = parsed(() => new X509Certificate(pem));
    if (certificate === undefined) return `${file}: certificate ${String(index + 1)} of the file is malformed`;
    chain.push(certificate);
  }
  const [leaf, ...authorities] = chain;
  if (leaf !== undefined) return [leaf, ...authorities];
  const holds = PRIVATE_KEY.test(text) ? "a private key and no certificate" : "no whole certificate as PEM text";
  return `${file} has ${holds}`;
}

function readKey(file: string, text: string): KeyObject | string {
  if (ENCRYPTED.test(text)) return `${file} has an encrypted key; decrypt it first, since no passphrase is asked for`;
  if (!PRIVATE_KEY.test(text)) return `${file} has no private key as PEM text`;
  const key = parsed(() => createPrivateKey(text));
  if (key === undefined) return `${file}: its private key is malformed`;
  const { modulusLength: bits = MIN_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  return bits < MIN_RSA_BITS
    ? `${file} has a key of ${String(bits)} bits; callers refuse fewer than ${String(MIN_RSA_BITS)}`
    : key;
}

function mismatchOf({ certFile, keyFile }: TlsFiles, [leaf, ...others]: Chain, key: KeyObject): string | undefined {
  if (leaf.checkPrivateKey(key)) return undefined;
  const isMisplaced = others.some((certificate) => certificate.checkPrivateKey(key));
  return isMisplaced
    ? `${certFile}: the certificate that belongs to ${keyFile} must be the first of the file`
    : `${keyFile} is not the key of the certificate in ${certFile}`;
}

function timeProblem(file: string, { validFrom, validTo }: X509Certificate, now: EpochMs): string | undefined {
  const [from, until] = [instantOf(validFrom), instantOf(validTo)];
  if (now < from) return `${file} is not valid before ${formatTimestamp(from)}`;
  return now > until ? `${file} has expired: it was valid until ${formatTimestamp(until)}` : undefined;
}

/** What OpenSSL refuses beside all of that, such as a curve that is too weak. */
function contextProblem({ certFile }: TlsFiles, texts: Pick<TlsPair, "cert" | "key">): string | undefined {
  try {
    createSecureContext(secureContextOptions(texts));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && "reason" in error ? error.reason : undefined;
    return `${certFile} is refused by OpenSSL: ${typeof reason === "string" ? reason : "unknown fault"}`;
  }
}

/** The instant of a text such as `Jan  1 00:00:00 2049 GMT`. */
function instantOf(text: string): EpochMs {
  return epochMs(Date.parse(text));
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function refused(reason: string): TlsPairResult {
  return { kind: "refused", reason };
}
