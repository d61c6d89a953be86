// Reads the body of a request of node:http within its bounds, or returns why it was not read. Knows no paths. Never rejects,
// and never waits for a body that cannot arrive any more.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { findEarlierRead, type EarlierRead } from "./body-read-before.js";
import { isSupportedEncoding } from "./content-encoding.js";
import type { RequestBody } from "./handler.js";
import { hasEnded, onRequestEnd } from "./request-end.js";
import type { RequestReservation } from "./request-capacity.js";

/** A request, its response, and the bytes that it may reserve. */
export interface RequestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reservation: RequestReservation;
}

/** `gone`: the caller left, so an answer would not arrive. `lost`: a parser read the body earlier, and left none of it. */
export type RequestBodyResult = RequestBody | { readonly kind: "gone" } | { readonly kind: "lost" };

/** Reads all of the body, if it has at most `limitBytes` and fits into the reservation. */
export function readRequestBody(
  exchange: RequestExchange,
  limitBytes: number,
): RequestBodyResult | Promise<RequestBodyResult> {
  const { request, response, reservation } = exchange;
  const before = findEarlierRead(request);
  if (before.kind !== "unread") return withinBounds(before, reservation, limitBytes);
  if (hasEnded(request, response)) return { kind: "gone" };
  if (!isSupportedEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) return { kind: "too-large" };
  return reservation.fits(declared) ? collect(exchange, limitBytes) : { kind: "no-room" };
}

/** Hands over the body as it arrives. Once all of it has arrived, no timeout applies to the answer. */
export function streamRequestBody({ request, response, reservation }: RequestExchange): RequestBodyResult {
  const before = findEarlierRead(request);
  // A parsed value does not show the lines of the list that it was parsed from.
  if (before.kind === "lost" || (before.kind === "kept" && before.isParsed)) return { kind: "lost" };
  if (before.kind === "kept") return { kind: "read", bytes: before.bytes };
  if (hasEnded(request, response)) return { kind: "gone" };
  if (!isSupportedEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  request.once("end", () => {
    reservation.endReading();
    response.setTimeout(0);
  });
  // If the connection closes early, the reader of the stream must not wait for the rest.
  onRequestEnd(request, response, () => {
    if (!request.readableEnded) request.destroy();
  });
  return { kind: "streamed", chunks: request };
}

function withinBounds(
  before: Exclude<EarlierRead, { kind: "unread" }>,
  reservation: RequestReservation,
  limit: number,
): RequestBodyResult {
  if (before.kind === "lost") return before;
  if (before.bytes.length > limit) return { kind: "too-large" };
  return reservation.reserve(before.bytes.length) ? { kind: "read", bytes: before.bytes } : { kind: "no-room" };
}

function collect({ request, response, reservation }: RequestExchange, limitBytes: number): Promise<RequestBodyResult> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const settle = (read: RequestBodyResult): void => {
      request.off("data", take).off("end", finish);
      unwatch();
      // The connection may stay open for longer than the bytes are needed.
      chunks = [];
      resolve(read);
    };
    const refuse = (kind: "too-large" | "no-room"): void => {
      request.pause();
      settle({ kind });
    };
    const take = (piece: Buffer | string): void => {
      const chunk = bytesOf(piece, request);
      size += chunk.length;
      if (size > limitBytes) refuse("too-large");
      else if (!reservation.reserve(chunk.length)) refuse("no-room");
      else chunks.push(chunk);
    };
    const finish = (): void => settle({ kind: "read", bytes: joined(chunks) });
    const unwatch = onRequestEnd(request, response, () => settle({ kind: "gone" }));
    request.on("data", take).once("end", finish);
    // A listener does not resume a request that was paused explicitly.
    if (request.isPaused()) request.resume();
  });
}

/** Pieces are text if an earlier listener has set an encoding. */
function bytesOf(piece: Buffer | string, { readableEncoding }: IncomingMessage): Buffer {
  return typeof piece === "string" ? Buffer.from(piece, readableEncoding ?? "utf8") : piece;
}

/** Most bodies arrive in one piece, which is not copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}
