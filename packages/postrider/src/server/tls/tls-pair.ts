// A certificate and its private key: reads them from the files in which an operator has them, checks whether they may be served, and
// says with which TLS. All options are explicit: some defaults can be changed by command line flags of Node.

import { type EpochMs, epochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { constants, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { MAX_REFERENCE_BYTES } from "../../config/limits.js";
import { readTextFile } from "../../config/read-text-file.js";

/** Paths, as the operator named them. */
export interface TlsFiles {
  /** A certificate as PEM text, followed by those of its intermediate authorities. */
  readonly certFile: string;
  /** The private key of the first certificate as PEM text, without a passphrase. */
  readonly keyFile: string;
}

/** A certificate that may be served, and its key. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  readonly validUntil: EpochMs;
}

type TlsPairResult =
  { readonly kind: "ok"; readonly pair: TlsPair } | { readonly kind: "refused"; readonly reason: string };

/** Bits of an RSA key: with fewer, the TLS libraries of callers refuse the certificate. */
const MIN_RSA_BITS = 2_048;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** The pair of the files, or the first reason why it cannot be served. Files of more than 1 MiB are not read. */
export function readPair(files: TlsFiles, now: EpochMs): TlsPairResult {
  const cert = readTextFile(files.certFile, MAX_REFERENCE_BYTES);
  if (cert.kind === "refused") return unreadable(files.certFile, cert.expected);
  const key = readTextFile(files.keyFile, MAX_REFERENCE_BYTES);
  if (key.kind === "refused") return unreadable(files.keyFile, key.expected);
  return checkPair(files, { cert: cert.text, key: key.text }, now);
}

function unreadable(file: string, expected: string): TlsPairResult {
  return { kind: "refused", reason: `${file} cannot be read: expected ${expected}` };
}

/** The pair, or the first thing that is wrong with it. The reason names files and instants, and no part of their texts. */
export function checkPair(files: TlsFiles, texts: Pick<TlsPair, "cert" | "key">, now: EpochMs): TlsPairResult {
  const chain = readChain(files.certFile, texts.cert);
  if (typeof chain === "string") return refusal(chain);
  const [leaf] = chain;
  const key = readKey(files.keyFile, texts.key);
  if (typeof key === "string") return refusal(key);
  const problem =
    mismatchOf(files, chain, key) ?? timeProblem(files.certFile, leaf, now) ?? contextProblem(files, texts);
  return problem === undefined
    ? { kind: "ok", pair: { cert: texts.cert, key: texts.key, validUntil: instantOf(leaf.validTo) } }
    : refusal(problem);
}

type Chain = readonly [X509Certificate, ...X509Certificate[]];

/** The certificates of a file, that of the server first; or what is wrong with them. */
function readChain(file: string, text: string): Chain | string {
  const pems = text.match(CERTIFICATE) ?? [];
  const chain: X509Certificate[] = [];
  for (const [index, pem] of pems.entries()) {
    const certificate = tryToParse(() => new X509Certificate(pem));
    if (certificate === undefined) return `${file}: certificate ${String(index + 1)} of the file is malformed`;
    chain.push(certificate);
  }
  const [leaf, ...authorities] = chain;
  if (leaf !== undefined) return [leaf, ...authorities];
  const content = PRIVATE_KEY.test(text) ? "a private key and no certificate" : "no whole certificate as PEM text";
  return `${file} has ${content}`;
}

function readKey(file: string, text: string): KeyObject | string {
  if (ENCRYPTED.test(text)) return `${file} has an encrypted key; decrypt it first, since no passphrase is asked for`;
  if (!PRIVATE_KEY.test(text)) return `${file} has no private key as PEM text`;
  const key = tryToParse(() => createPrivateKey(text));
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

/** A problem that only OpenSSL finds, such as a curve that is too weak. */
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

function tryToParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function refusal(reason: string): TlsPairResult {
  return { kind: "refused", reason };
}

/** The options for a pair. A renegotiation, which costs the server more than the caller, is refused. */
export function secureContextOptions({ cert, key }: Pick<TlsPair, "cert" | "key">): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2", maxVersion: "TLSv1.3", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}
