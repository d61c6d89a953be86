// Reads a file as UTF-8 text, up to a bound, since a path may name a device without an end, and says why it cannot.

import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";

export type ReadTextFileResult =
  | { readonly kind: "ok"; readonly text: string }
  /** `expected` completes "expected …" for the operator, such as "a file that exists". */
  | { readonly kind: "refused"; readonly expected: string };

const CHUNK_BYTES = 65_536;
const BYTES_PER_MIB = 1_048_576;

/** The text of a file of at most `maxBytes`, with its byte order mark if it has one. */
export function readTextFile(path: string, maxBytes: number): ReadTextFileResult {
  try {
    const bytes = readBytes(path, maxBytes);
    return bytes === undefined
      ? refusal(`a file of at most ${String(maxBytes / BYTES_PER_MIB)} MiB`)
      : decodeText(bytes);
  } catch (error) {
    return refusal(expectedFile(error));
  }
}

/** The text of `expected` for a file that `fs` could not read, by the error. */
export function expectedFile(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return EXPECTED_BY_CODE.get(code) ?? `a file that can be read (${code})`;
}

const EXPECTED_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "a file that exists"],
  ["ENOTDIR", "a file that exists; a part of its path is a file, not a folder"],
  ["EISDIR", "a file, not a folder"],
  ["EACCES", "a file that this user may read"],
  ["EPERM", "a file that this user may read"],
]);

/** Undefined if the file is longer than `maxBytes`. */
function readBytes(path: string, maxBytes: number): Buffer | undefined {
  const file = openSync(path, "r");
  try {
    return readUpTo(file, maxBytes);
  } finally {
    closeSync(file);
  }
}

function readUpTo(file: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= maxBytes;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const size = readSync(file, chunk);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, size));
    bytes += size;
  }
  return undefined;
}

/** Refuses UTF-16, which some editors and shells write: with a mark of two bytes, or known by the zero in each character of ASCII. */
function decodeText(bytes: Buffer): ReadTextFileResult {
  const isMarked = bytes.length >= 2 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE(0));
  if (isMarked || (bytes.length % 2 === 0 && (bytes[0] === 0) !== (bytes[1] === 0))) {
    return refusal("a file in UTF-8, not UTF-16; save it again in UTF-8");
  }
  if (!isUtf8(bytes)) return refusal("a text file in UTF-8");
  return { kind: "ok", text: bytes.toString("utf8") };
}

function refusal(expected: string): ReadTextFileResult {
  return { kind: "refused", expected };
}
