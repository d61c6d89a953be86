// The notation in which the corpus writes what is too long or too odd for JSON: a text is a string or a list of parts.
// README.md in the folder above describes it for other languages.

import { gzipSync } from "node:zlib";

/** A text: a string, or parts that follow one another. A string in it is UTF-8. */
export type Text = string | readonly Part[];

export type Part =
  | string
  | { readonly repeat: string; readonly times: number }
  | { readonly nest: readonly [open: string, close: string]; readonly times: number; readonly around: string }
  /** `#` in the item is its index. */
  | { readonly list: string; readonly times: number; readonly join: string }
  /** As much of this text as makes the whole `to` bytes long, and then `x`; one for each text. */
  | { readonly pad: string; readonly to: number }
  | { readonly hex: string }
  | { readonly base64: Text | { readonly $text: Text } }
  /** `keep`: only this many bytes of it; below zero, all but this many. */
  | { readonly gzip: Text; readonly keep?: number };

/** The bytes of a text. */
export function bytesOf(text: Text): Buffer {
  const parts = typeof text === "string" ? [text] : text;
  const written = parts.map((part) => (isPad(part) ? Buffer.alloc(0) : bytesOfPart(part)));
  const length = written.reduce((sum, bytes) => sum + bytes.length, 0);
  return Buffer.concat(parts.map((part, index) => (isPad(part) ? padding(part, part.to - length) : written[index]!)));
}

/** A text as a string; only for those that are UTF-16 through and through. */
export function stringOf(text: Text): string {
  if (typeof text === "string") return text;
  return text.map((part) => (typeof part === "string" ? part : stringOfPart(part))).join("");
}

/**
 * A JSON value in which `{ "$text": TEXT }` stands for a long string and `{ "$list": ITEM, "times": N }` for a long list.
 * Keys are own keys, `__proto__` too.
 */
export function valueOf(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(valueOf);
  if (typeof written !== "object" || written === null) return written;
  if ("$text" in written) return stringOf(written.$text as Text);
  if ("$list" in written && "times" in written) return items(String(written.$list), Number(written.times));
  return Object.fromEntries(Object.entries(written).map(([key, field]) => [key, valueOf(field)]));
}

type Pad = Extract<Part, { readonly pad: string }>;
type Short = Exclude<Part, Pad>;

function isPad(part: Part): part is Pad {
  return typeof part !== "string" && "pad" in part;
}

function padding({ pad }: Pad, length: number): Buffer {
  const times = Math.floor(length / Buffer.byteLength(pad));
  const bytes = Buffer.from(pad.repeat(times));
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, "x")]);
}

function bytesOfPart(part: Short): Buffer {
  if (typeof part === "string") return Buffer.from(part);
  if ("hex" in part) return Buffer.from(part.hex, "hex");
  if ("base64" in part) return Buffer.from(bytesOf(textOf(part.base64)).toString("base64"));
  if ("gzip" in part) return gzipSync(bytesOf(part.gzip)).subarray(0, part.keep);
  return Buffer.from(stringOfPart(part));
}

function stringOfPart(part: Exclude<Part, string>): string {
  if ("repeat" in part) return part.repeat.repeat(part.times);
  if ("nest" in part) return part.nest[0].repeat(part.times) + part.around + part.nest[1].repeat(part.times);
  if ("list" in part) return items(part.list, part.times).join(part.join);
  throw new Error(`bytes, where a string is due: ${Object.keys(part).join()}`);
}

function textOf(text: Text | { readonly $text: Text }): Text {
  return typeof text === "object" && "$text" in text ? text.$text : text;
}

function items(item: string, times: number): readonly string[] {
  return Array.from({ length: times }, (_, index) => item.replaceAll("#", String(index)));
}
