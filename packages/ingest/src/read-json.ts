// From the bytes of a body to the JSON value in it, whatever the headers say of them: libraries send text/plain, and
// gzip under a wrong name. Gzip is known by its first two bytes, and never unzipped beyond the bound.

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { RequestBody } from "./http/handler.js";
import { MAX_REQUEST_BYTES } from "./limits.js";

export type ReadJson =
  { readonly kind: "json"; readonly value: unknown } | { readonly kind: "bad-json" } | { readonly kind: "too-large" };

type Unzipped = Extract<RequestBody, { kind: "read" }> | Exclude<ReadJson, { kind: "json" }>;

const unzip = promisify(gunzip);
// Broken UTF-8 is refused rather than mended; a byte order mark is dropped.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a body as JSON: UTF-8, zipped or not. Never throws. */
export async function readJson(body: RequestBody): Promise<ReadJson> {
  const plain = body.kind === "read" && isGzip(body.bytes) ? await unzipBody(body.bytes) : body;
  return plain.kind === "read" ? parse(plain.bytes) : plain;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unzipBody(bytes: Uint8Array): Promise<Unzipped> {
  try {
    return { kind: "read", bytes: await unzip(bytes, { maxOutputLength: MAX_REQUEST_BYTES }) };
  } catch (error) {
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { kind: isTooLarge ? "too-large" : "bad-json" };
  }
}

function parse(bytes: Uint8Array): ReadJson {
  try {
    return { kind: "json", value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return { kind: "bad-json" };
  }
}
