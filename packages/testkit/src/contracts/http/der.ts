// Writes the few kinds of DER values that a certificate is made of (ITU-T X.690). Writes only; knows no certificate.

import { Buffer } from "node:buffer";

/** A value in DER. */
export type Der = Uint8Array;

/** A value of the given tag around its content, which may be further values. */
export function tagged(tag: number, ...content: readonly Der[]): Der {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Uint8Array.of(tag, ...lengthBytes(length)), ...content]);
}

export function sequence(...values: readonly Der[]): Der {
  return tagged(0x30, ...values);
}

export function setOf(...values: readonly Der[]): Der {
  return tagged(0x31, ...values);
}

/** A whole number from 0 to 127. */
export function derInteger(value: number): Der {
  return tagged(0x02, Uint8Array.of(value));
}

export function derTrue(): Der {
  return tagged(0x01, Uint8Array.of(0xff));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return tagged(0x03, Uint8Array.of(unusedBits), bytes);
}

export function octetString(bytes: Uint8Array): Der {
  return tagged(0x04, bytes);
}

export function derText(value: string): Der {
  return tagged(0x0c, Buffer.from(value, "utf8"));
}

/** An instant of the years 1950 to 2049, to the second. */
export function derTime(instant: Date): Der {
  const digits = instant
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/\D/g, "")
    .slice(2);
  return tagged(0x17, Buffer.from(`${digits}Z`, "latin1"));
}

/** An object identifier in its dotted form. */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([40 * first + second, ...rest.flatMap(baseSeven)]));
}

/** The number in base 128: seven bits in each byte; the high bit is set in all bytes but the last. */
function baseSeven(value: number): readonly number[] {
  const head = Math.floor(value / 128);
  return head === 0 ? [value] : [...baseSeven(head).map((byte) => byte | 0x80), value % 128];
}

function lengthBytes(length: number): readonly number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
