// From the bytes of a body to the JSON value in it, whatever the headers say of them: libraries send text/plain, and
// gzip under a wrong name. Gzip is known by its first two bytes, and unzipped piece by piece: what goes beyond the bound,
// or beyond the room that is left for all requests together, is not unzipped further.

import { Buffer } from "node:buffer";
import { createGunzip } from "node:zlib";
import type { Hold } from "./http/byte-budget.js";
import type { RequestBody } from "./http/handler.js";
import { MAX_REQUEST_BYTES } from "./limits.js";

export type ReadJson =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bad-json" }
  | { readonly kind: "too-large" }
  | { readonly kind: "no-room" };

type Unzipped = Extract<RequestBody, { kind: "read" }> | Exclude<ReadJson, { kind: "json" }>;

// Broken UTF-8 is refused rather than mended; a byte order mark is dropped.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a body as JSON: UTF-8, zipped or not. What it unzips to is held in `room`, where there is one. Never throws. */
export async function readJson(body: RequestBody, room?: Hold): Promise<ReadJson> {
  const plain = body.kind === "read" && isGzip(body.bytes) ? await unzipBody(body.bytes, room) : body;
  return plain.kind === "read" ? parse(plain.bytes) : plain;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unzipBody(bytes: Uint8Array, room: Hold | undefined): Promise<Unzipped> {
  try {
    return await gather(createGunzip().end(bytes), room);
  } catch {
    return { kind: "bad-json" };
  }
}

async function gather(stream: AsyncIterable<Uint8Array>, room: Hold | undefined): Promise<Unzipped> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    // Leaving the loop ends the unzipping.
    if (size > MAX_REQUEST_BYTES) return { kind: "too-large" };
    if (room?.take(piece.length) === false) return { kind: "no-room" };
    pieces.push(piece);
  }
  return { kind: "read", bytes: Buffer.concat(pieces) };
}

function parse(bytes: Uint8Array): ReadJson {
  try {
    return { kind: "json", value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return { kind: "bad-json" };
  }
}
