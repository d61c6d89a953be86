// Texts that fill the file pages of their rows, so that no two rows share a page. When a row is deleted from a shared page, SQLite moves
// the remaining rows and leaves copies of them (decision: erasure).

import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow } from "./rows.js";

const ENCODER = new TextEncoder();
/** A text may begin with U+FEFF, which a decoder drops as a mark unless it is told not to. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const BLANK = 0x20;

/**
 * The text as bytes, with trailing blanks. `blanksFor` returns the number of blanks to add to a text with this number of
 * bytes. The text must not end in a blank.
 */
export function filledText(text: string, blanksFor: (length: number) => number): Uint8Array {
  const bytes = ENCODER.encode(text);
  const filled = new Uint8Array(bytes.length + blanksFor(bytes.length)).fill(BLANK);
  filled.set(bytes);
  return filled;
}

/** The text of such bytes, without the blanks; empty if there are no bytes. */
export function textOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === BLANK) end -= 1;
  return DECODER.decode(bytes.subarray(0, end));
}

/**
 * Returns the number of bytes to add to the last blob of a row, so that the row fills its pages. The columns of the row are
 * an integer primary key and blobs; `lengths` are the lengths of these blobs.
 */
export type FillLength = (lengths: readonly number[]) => number;

/** Bytes of a leaf page and of an overflow page that are not payload (sqlite.org/fileformat2.html). */
const LEAF_OVERHEAD = 35;
const CHAIN_OVERHEAD = 4;

/** Creates the function for the page size of this database. */
export function prepareFillLength(database: SqliteDatabase): FillLength {
  const pageSize = readNumber(readSingleRow(database.prepare("pragma page_size").get()), "page_size");
  return fillLengthFor(pageSize);
}

export function fillLengthFor(pageSize: number): FillLength {
  const [leaf, link] = [pageSize - LEAF_OVERHEAD, pageSize - CHAIN_OVERHEAD];
  return (lengths) => {
    const shortest = payloadOf(lengths, 0);
    for (let links = Math.max(0, Math.ceil((shortest - leaf) / link)); ; links += 1) {
      const pad = padTo(lengths, leaf + links * link);
      if (pad !== undefined) return pad;
    }
  };
}

/**
 * The padding that gives this payload; undefined if there is none, because a longer blob may need up to three more
 * bytes for its encoded length.
 */
function padTo(lengths: readonly number[], payload: number): number | undefined {
  const maxPad = payload - payloadOf(lengths, 0);
  return [maxPad, maxPad - 1, maxPad - 2, maxPad - 3].find((pad) => pad >= 0 && payloadOf(lengths, pad) === payload);
}

/**
 * The payload of a row in bytes: the length of its header, one byte for the id, the types of its blobs, and the blobs.
 */
function payloadOf(lengths: readonly number[], pad: number): number {
  const padded = lengths.map((length, index) => length + (index === lengths.length - 1 ? pad : 0));
  return padded.reduce((sum, length) => sum + varintLength(2 * length + 12) + length, 2);
}

function varintLength(value: number): number {
  if (value < 2 ** 7) return 1;
  if (value < 2 ** 14) return 2;
  return value < 2 ** 21 ? 3 : 4;
}
