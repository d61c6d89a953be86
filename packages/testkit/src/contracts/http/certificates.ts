// Makes certificate authorities and certificates for receivers at run time, so that the repository holds no key.
// Written by hand in DER (ITU-T X.690), since the available library changes `Reflect` in the host.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { Buffer } from "node:buffer";

/** A certificate with its key, as PEM text. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** The options of a certificate for tests. */
export interface CertificateOptions {
  /**
   * The hosts for which the certificate is valid: names or IPv4 addresses. If empty, the certificate has only a common
   * name, as old certificates do.
   */
  readonly hosts: readonly string[];
  /** `receiver` if absent. */
  readonly commonName?: string;
  /** Makes the key too short: RSA with 1,024 bits. Only for a certificate that an authority issues. */
  readonly isWeak?: boolean;
  /** Valid from 2000 to 2049 if the dates are absent. */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** The issuer of certificates for receivers. */
export interface Authority {
  /** The certificate of the authority, as PEM text. */
  readonly cert: string;
  issue(options: CertificateOptions): TlsIdentity;
}

const COMMON_NAME = "2.5.4.3";

const ECDSA_WITH_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

const BASIC_CONSTRAINTS = "2.5.29.19";

const KEY_USAGE = "2.5.29.15";

const ALTERNATIVE_NAMES = "2.5.29.17";

/** A new authority with a new key. */
export function createAuthority(name = "Postrider Test Authority"): Authority {
  const keys = createKeys();
  const issuer = { name, key: keys.privateKey };
  const authorityConstraint = extension(BASIC_CONSTRAINTS, sequence(derTrue()), "critical");
  const signingUsage = extension(KEY_USAGE, bitString(Uint8Array.of(0x04), 2), "critical");
  const subject = { name, key: keys.publicKey, extensions: [authorityConstraint, signingUsage] };
  return {
    cert: toPem("CERTIFICATE", signCertificate(subject, issuer)),
    issue: (options) => issue(options, issuer),
  };
}

/** A certificate that is signed with the key that it contains. */
export function createSelfSignedCertificate(options: CertificateOptions): TlsIdentity {
  return issue(options);
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

interface Subject {
  readonly name: string;
  readonly key: KeyObject;
  readonly extensions: readonly Der[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** Makes a certificate; self-signed if `issuer` is absent. */
function issue(options: CertificateOptions, issuer?: Issuer): TlsIdentity {
  const { hosts, commonName: name = "receiver", isWeak = false, ...dates } = options;
  const keys = isWeak ? createWeakKeys() : createKeys();
  const noAuthorityConstraint = extension(BASIC_CONSTRAINTS, sequence());
  const extensions = hosts.length === 0 ? [noAuthorityConstraint] : [alternativeNames(hosts)];
  const subject = { name, key: keys.publicKey, extensions, ...dates };
  const cert = signCertificate(subject, issuer ?? { name, key: keys.privateKey });
  return { cert: toPem("CERTIFICATE", cert), key: toPem("PRIVATE KEY", keys.pkcs8) };
}

function signCertificate(subject: Subject, issuer: Issuer): Der {
  const notBefore = subject.notBefore ?? new Date("2000-01-01T00:00:00Z");
  const notAfter = subject.notAfter ?? new Date("2049-01-01T00:00:00Z");
  const content = sequence(
    tagged(0xa0, derInteger(2)),
    derInteger(1),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(derTime(notBefore), derTime(notAfter)),
    commonName(subject.name),
    subject.key.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...subject.extensions)),
  );
  return sequence(content, ECDSA_WITH_SHA256, bitString(sign("sha256", content, issuer.key)));
}

function commonName(name: string): Der {
  return sequence(setOf(sequence(oid(COMMON_NAME), derText(name))));
}

function extension(id: string, value: Der, critical?: "critical"): Der {
  return sequence(oid(id), ...(critical === undefined ? [] : [derTrue()]), octetString(value));
}

function alternativeNames(hosts: readonly string[]): Der {
  return extension(ALTERNATIVE_NAMES, sequence(...hosts.map(alternativeName)));
}

function alternativeName(host: string): Der {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress ? tagged(0x87, Uint8Array.from(host.split("."), Number)) : tagged(0x82, Buffer.from(host, "latin1"));
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly pkcs8: Der;
}

function createKeys(): Keys {
  return describeKeys(generateKeyPairSync("ec", { namedCurve: "P-256" }));
}

function createWeakKeys(): Keys {
  return describeKeys(generateKeyPairSync("rsa", { modulusLength: 1_024 }));
}

function describeKeys({ publicKey, privateKey }: Omit<Keys, "pkcs8">): Keys {
  return { publicKey, privateKey, pkcs8: privateKey.export({ type: "pkcs8", format: "der" }) };
}

function toPem(label: string, der: Der): string {
  // The look-ahead adds no line break after a full last line: PEM may have no empty line.
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** A value in DER. */
type Der = Uint8Array;

/** A value of the given tag around its content, which may be further values. */
function tagged(tag: number, ...content: readonly Der[]): Der {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Uint8Array.of(tag, ...lengthBytes(length)), ...content]);
}

function sequence(...values: readonly Der[]): Der {
  return tagged(0x30, ...values);
}

function setOf(...values: readonly Der[]): Der {
  return tagged(0x31, ...values);
}

/** A whole number from 0 to 127. */
function derInteger(value: number): Der {
  return tagged(0x02, Uint8Array.of(value));
}

function derTrue(): Der {
  return tagged(0x01, Uint8Array.of(0xff));
}

function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return tagged(0x03, Uint8Array.of(unusedBits), bytes);
}

function octetString(bytes: Uint8Array): Der {
  return tagged(0x04, bytes);
}

function derText(value: string): Der {
  return tagged(0x0c, Buffer.from(value, "utf8"));
}

/** An instant of the years 1950 to 2049, to the second. */
function derTime(instant: Date): Der {
  const digits = instant
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/\D/g, "")
    .slice(2);
  return tagged(0x17, Buffer.from(`${digits}Z`, "latin1"));
}

/** An object identifier in its dotted form. */
function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** The number in base 128: seven bits in each byte; the high bit is set in all bytes but the last. */
function base128(value: number): readonly number[] {
  const head = Math.floor(value / 128);
  return head === 0 ? [value] : [...base128(head).map((byte) => byte | 0x80), value % 128];
}

function lengthBytes(length: number): readonly number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
