// Turns the bytes of a body into the JSON value in it. Ignores Content-Type, since libraries send JSON as text/plain, and Content-Encoding,
// since some libraries gzip and do not say it: gzip is detected by its first two bytes. Unzipping stops at the bound of one request, or when
// its reservation gets no more bytes; JSON that is nested too deeply is not parsed.

import { Buffer } from "node:buffer";
import { createGunzip } from "node:zlib";
import { isNestedDeeper, MAX_TEXT_DEPTH } from "@postrider/core/engine";
import type { Reservation } from "./budgets.js";
import type { RequestBody } from "./handler.js";
import { MAX_REQUEST_BYTES } from "./limits.js";

/** The JSON value of a body, or why there is none. */
export type ReadJsonResult =
  | { readonly kind: "ok"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly reason: "bad-json" | "too-deep" | Exclude<RequestBody["kind"], "read" | "streamed">;
    };

/** A body without a value, and the reason. */
type RefusedBody = Extract<ReadJsonResult, { kind: "refused" }>;

/** A complete body, unzipped, or why there is none. */
export type WholeBody = { readonly kind: "ok"; readonly bytes: Uint8Array } | RefusedBody;

/** Bytes that are not UTF-8 cause an error; by default they would be replaced. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a body as JSON: UTF-8, zipped or not. Never throws. */
export async function readJson(body: RequestBody): Promise<ReadJsonResult> {
  const whole = await readWholeBody(body);
  return whole.kind === "ok" ? parseJson(whole.bytes) : whole;
}

/**
 * Reads all of a body, zipped or not. Reserves the bytes that it unzips, or reads from a stream, in `reservation`, if that
 * is given. Never throws.
 */
export async function readWholeBody(body: RequestBody, reservation?: Reservation): Promise<WholeBody> {
  const whole = body.kind === "streamed" ? await collect(body.chunks, reservation) : wholeOf(body);
  return whole.kind === "ok" && isGzip(whole.bytes) ? collect(unzip(whole.bytes), reservation) : whole;
}

/** Parses bytes that are not zipped. Never throws. */
export function parseJson(bytes: Uint8Array): ReadJsonResult {
  if (isNestedDeeper(bytes, MAX_TEXT_DEPTH)) return refusal("too-deep");
  try {
    return { kind: "ok", value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return refusal("bad-json");
  }
}

/** The text in UTF-8 bytes, of which a byte order mark is removed; undefined if they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function wholeOf(body: Exclude<RequestBody, { kind: "streamed" }>): WholeBody {
  return body.kind === "read" ? { kind: "ok", bytes: body.bytes } : refusal(body.kind);
}

function refusal(reason: RefusedBody["reason"]): RefusedBody {
  return { kind: "refused", reason };
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unzip(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return createGunzip().end(bytes);
}

/** If the stream breaks off or the gzip is damaged, the body counts as bad JSON. */
async function collect(stream: AsyncIterable<Uint8Array>, reservation: Reservation | undefined): Promise<WholeBody> {
  try {
    return await joinChunks(stream, reservation);
  } catch {
    return refusal("bad-json");
  }
}

async function joinChunks(stream: AsyncIterable<Uint8Array>, reservation: Reservation | undefined): Promise<WholeBody> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    // Leaving the loop ends the unzipping.
    if (size > MAX_REQUEST_BYTES) return refusal("too-large");
    if (reservation?.reserve(piece.length) === false) return refusal("no-room");
    pieces.push(piece);
  }
  return { kind: "ok", bytes: Buffer.concat(pieces) };
}
