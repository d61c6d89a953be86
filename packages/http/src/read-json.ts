// From the bytes of a body to the JSON value in it, whatever the headers say of them: libraries send text/plain, and
// gzip under a wrong name. Gzip is known by its first two bytes, and unzipped piece by piece: what goes beyond the bound,
// or beyond the room that is left for all requests together, is not unzipped further. What nests too deep is not parsed.

import { Buffer } from "node:buffer";
import { createGunzip } from "node:zlib";
import { isNestedDeeper, MAX_TEXT_DEPTH } from "@postrider/core";
import type { Hold } from "./byte-budget.js";
import type { RequestBody } from "./handler.js";
import { MAX_REQUEST_BYTES } from "./limits.js";

export type ReadJson =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bad-json" }
  | { readonly kind: "too-deep" }
  | { readonly kind: "too-large" }
  | { readonly kind: "no-room" }
  | { readonly kind: "unread-encoding" };

/** A body of which all is there, unzipped, or why not. */
export type Whole = Extract<RequestBody, { kind: "read" }> | Exclude<ReadJson, { kind: "json" }>;

/** Broken UTF-8 is refused rather than mended. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a body as JSON: UTF-8, zipped or not. Never throws. */
export async function readJson(body: RequestBody): Promise<ReadJson> {
  const whole = await readWhole(body);
  return whole.kind === "read" ? parseJson(whole.bytes) : whole;
}

/** Reads all of a body, zipped or not. What it unzips to is held in `room`, where there is one. Never throws. */
export async function readWhole(body: RequestBody, room?: Hold): Promise<Whole> {
  const whole = body.kind === "streamed" ? await collect(body.chunks, room) : body;
  return whole.kind === "read" && isGzip(whole.bytes) ? collect(unzip(whole.bytes), room) : whole;
}

/** The JSON value in bytes that are not zipped. Never throws. */
export function parseJson(bytes: Uint8Array): ReadJson {
  if (isNestedDeeper(bytes, MAX_TEXT_DEPTH)) return { kind: "too-deep" };
  try {
    return { kind: "json", value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return { kind: "bad-json" };
  }
}

/** The text in UTF-8 bytes, without a byte order mark; undefined where they are no UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unzip(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return createGunzip().end(bytes);
}

/** What ends too soon, or is no gzip, is no JSON. */
async function collect(stream: AsyncIterable<Uint8Array>, room: Hold | undefined): Promise<Whole> {
  try {
    return await gather(stream, room);
  } catch {
    return { kind: "bad-json" };
  }
}

async function gather(stream: AsyncIterable<Uint8Array>, room: Hold | undefined): Promise<Whole> {
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
