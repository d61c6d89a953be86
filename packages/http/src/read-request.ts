// Reads the body of a request of node:http within its share, or says why it is not read on, or that the caller left before
// the end. Decides nothing about what is asked; never rejects, and never waits for a body that cannot come any more.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyReadBefore, type ReadBefore } from "./body-read-before.js";
import { isReadEncoding } from "./content-encoding.js";
import type { RequestBody } from "./handler.js";
import { hasEnded, onRequestEnd } from "./request-end.js";
import type { RequestShare } from "./request-capacity.js";

/** A request, where its answer goes, and what it may hold meanwhile. */
export interface Reading {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly share: RequestShare;
}

/** `gone`: no answer would arrive. `lost`: a parser before us has read it, and left nothing. */
export type ReadRequest = RequestBody | { readonly kind: "gone" } | { readonly kind: "lost" };

/** All of the body, where it has at most `limitBytes` and these find room. */
export function readRequest(reading: Reading, limitBytes: number): ReadRequest | Promise<ReadRequest> {
  const { request, response, share } = reading;
  const before = bodyReadBefore(request);
  if (before.kind !== "unread") return withinBounds(before, share, limitBytes);
  if (hasEnded(request, response)) return { kind: "gone" };
  if (!isReadEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) return { kind: "too-large" };
  return share.fits(declared) ? collect(reading, limitBytes) : { kind: "no-room" };
}

/** The body as it arrives. Once all of it is in, the answer may take as long as it takes. */
export function streamRequest({ request, response, share }: Reading): ReadRequest {
  const before = bodyReadBefore(request);
  // The lines of a list cannot be made out in a value that was parsed from it.
  if (before.kind === "lost" || (before.kind === "kept" && before.isParsed)) return { kind: "lost" };
  if (before.kind === "kept") return { kind: "read", bytes: before.bytes };
  if (hasEnded(request, response)) return { kind: "gone" };
  if (!isReadEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  request.once("end", () => {
    share.endReading();
    response.setTimeout(0);
  });
  // What reads the stream hears that no more is coming.
  onRequestEnd(request, response, () => {
    if (!request.readableEnded) request.destroy();
  });
  return { kind: "streamed", chunks: request };
}

function withinBounds(
  before: Exclude<ReadBefore, { kind: "unread" }>,
  share: RequestShare,
  limit: number,
): ReadRequest {
  if (before.kind === "lost") return before;
  if (before.bytes.length > limit) return { kind: "too-large" };
  return share.take(before.bytes.length) ? { kind: "read", bytes: before.bytes } : { kind: "no-room" };
}

function collect({ request, response, share }: Reading, limitBytes: number): Promise<ReadRequest> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const settle = (read: ReadRequest): void => {
      request.off("data", take).off("end", finish);
      unwatch();
      // The caller may linger; what came of its body need not.
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
      else if (!share.take(chunk.length)) refuse("no-room");
      else chunks.push(chunk);
    };
    const finish = (): void => settle({ kind: "read", bytes: joined(chunks) });
    const unwatch = onRequestEnd(request, response, () => settle({ kind: "gone" }));
    request.on("data", take).once("end", finish);
    // What was paused before it came here would stay so.
    if (request.isPaused()) request.resume();
  });
}

/** Text, where something before us has asked for it. */
function bytesOf(piece: Buffer | string, { readableEncoding }: IncomingMessage): Buffer {
  return typeof piece === "string" ? Buffer.from(piece, readableEncoding ?? "utf8") : piece;
}

/** Nearly all bodies come in one piece, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}
