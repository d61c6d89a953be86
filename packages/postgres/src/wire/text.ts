// Texts as bytes: UTF-8, in which a lone surrogate keeps its own three bytes, since PostgreSQL's `text` holds neither that nor U+0000.
// Only equal texts have equal bytes, and the order of the bytes is one that the port allows. A key is 128 bits of a hash of texts, since
// a text may be too long for an index.

import { hash } from "node:crypto";
import { holderOf, type LeaseToken } from "@postrider/core";

/** The bytes of any text. */
export function encodeAnyText(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text, "utf8") : encodeUnits(text);
}

/** The text of bytes that `encodeAnyText` made. */
export function decodeStoredText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? decodeUnits(bytes) : text;
}

function encodeUnits(text: string): Buffer {
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd800 || code > 0xdfff) return Buffer.from(character, "utf8");
    return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
  });
  return Buffer.concat(parts);
}

function decodeUnits(bytes: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    if (first !== 0xed || second < 0xa0) continue;
    parts.push(bytes.toString("utf8", start, at));
    parts.push(String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)));
    start = at + 3;
    at += 2;
  }
  return [...parts, bytes.toString("utf8", start)].join("");
}

const KEY_BYTES = 16;

/** The key of one or more texts, as the 16 bytes of a `uuid`. */
export function hashKeyOf(...texts: readonly string[]): Buffer {
  return Buffer.from(hashTextOf(...texts), "latin1");
}

/** The same key as a text of which each character is a byte: no buffer is made for it, which matters where keys are many. */
export function hashTextOf(...texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) joined += `${String(text.length)}:${text}`;
  return hash("sha256", joined.isWellFormed() ? joined : encodeAnyText(joined), "binary").slice(0, KEY_BYTES);
}

/** A lease token as two values: its key, and the name of the process that holds it. */
export function tokenValues(token: LeaseToken): readonly [Buffer, Buffer] {
  return [hashKeyOf(token), encodeAnyText(holderOf(token))];
}

/** Many texts and bodies as one value, which costs the database less than arrays of them. */
export interface Texts {
  /** Adds a text, and to the numbers where it is: its offset, from 0, and its length in bytes, -1 for null. */
  readonly add: (text: string | Uint8Array | null, place: number[]) => void;
  /** All that was added. */
  readonly bytes: () => Buffer;
}

const FIRST_TEXTS_BYTES = 4_096;
/** The most bytes that a unit of UTF-16 becomes. */
const MOST_BYTES = 3;

export function createTexts(): Texts {
  let bytes = Buffer.allocUnsafe(FIRST_TEXTS_BYTES);
  let size = 0;

  function reserve(length: number): void {
    if (size + length <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, size + length));
    larger.set(bytes.subarray(0, size));
    bytes = larger;
  }

  function put(text: string | Uint8Array): number {
    if (typeof text === "string" && text.isWellFormed()) {
      reserve(MOST_BYTES * text.length);
      return bytes.write(text, size);
    }
    const part = typeof text === "string" ? encodeAnyText(text) : text;
    reserve(part.length);
    bytes.set(part, size);
    return part.length;
  }

  return {
    add: (text, place) => {
      const length = text === null ? -1 : put(text);
      place.push(size, length);
      size += Math.max(0, length);
    },
    bytes: () => bytes.subarray(0, size),
  };
}
