// Reads the body of a request of node:http within its bounds, or returns why it was not read. Never rejects, and never
// waits for a body that cannot arrive any more: if a body parser has read it before this listener, takes what the parser
// left, the bytes, the text or the parsed value (decision: bodies already read).

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isSupportedEncoding, errorAnswer } from "./answers.js";
import type { RequestBody, Answer } from "./handler.js";
import type { RequestReservation } from "./budgets.js";

/** A request, its response, and the bytes that it may reserve. */
export interface RequestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reservation: RequestReservation;
}

/** `gone`: the caller left, so an answer would not arrive. `lost`: a parser read the body earlier, and left nothing that serves in its place. */
type RequestBodyResult = RequestBody | { readonly kind: "gone" } | { readonly kind: "lost" };

/** Reads all of the body, if it has at most `limitBytes` and fits into the reservation. */
export function readRequestBody(
  exchange: RequestExchange,
  limitBytes: number,
): RequestBodyResult | Promise<RequestBodyResult> {
  const { request, response, reservation } = exchange;
  const earlierRead = findEarlierRead(request);
  if (earlierRead.kind !== "unread") return withinBounds(earlierRead, reservation, limitBytes);
  if (hasEnded(request, response)) return { kind: "gone" };
  if (!isSupportedEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) return { kind: "too-large" };
  return reservation.fits(declared) ? collect(exchange, limitBytes) : { kind: "no-room" };
}

/** Hands over the body as it arrives. Once all of it has arrived, no timeout applies to the answer. */
export function streamRequestBody({ request, response, reservation }: RequestExchange): RequestBodyResult {
  const earlierRead = findEarlierRead(request);
  // A streamed body is a list of lines, which a parsed value does not show.
  if (earlierRead.kind === "lost" || (earlierRead.kind === "kept" && earlierRead.isParsed)) return { kind: "lost" };
  if (earlierRead.kind === "kept") return { kind: "read", bytes: earlierRead.bytes };
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
  earlierRead: Exclude<EarlierRead, { kind: "unread" }>,
  reservation: RequestReservation,
  limit: number,
): RequestBodyResult {
  if (earlierRead.kind === "lost") return earlierRead;
  if (earlierRead.bytes.length > limit) return { kind: "too-large" };
  return reservation.reserve(earlierRead.bytes.length)
    ? { kind: "read", bytes: earlierRead.bytes }
    : { kind: "no-room" };
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

type EarlierRead =
  | { readonly kind: "unread" }
  /** The bytes as they arrived, or, if `isParsed`, the parsed value written as JSON. */
  | { readonly kind: "kept"; readonly bytes: Uint8Array; readonly isParsed: boolean }
  /** The body was read, and neither bytes nor a usable value was left. */
  | { readonly kind: "lost" };

/** The fields in which body parsers leave a body. */
interface ParserFields {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

const FORM = /^application\/x-www-form-urlencoded|^multipart\//i;

/** Looks for the bytes in `rawBody` and `body`, then for a parsed value in `body`. */
function findEarlierRead(request: IncomingMessage & ParserFields): EarlierRead {
  if (!request.readableDidRead && !request.readableEnded) return { kind: "unread" };
  if (!hasBody(request)) return earlierBytes(new Uint8Array());
  const bytes = bytesIn(request.rawBody) ?? bytesIn(request.body);
  if (bytes !== undefined) return earlierBytes(bytes);
  // JSON that was sent with the content type of a form, as by curl, was split into fields.
  if (FORM.test(request.headers["content-type"] ?? "")) return { kind: "lost" };
  const json = jsonOf(request.body);
  return json === undefined ? { kind: "lost" } : { kind: "kept", bytes: Buffer.from(json), isParsed: true };
}

/** 500: nothing is wrong with the request; the program that mounts the listener has to change. */
export function bodyAlreadyReadAnswer(advice: string): Answer {
  return errorAnswer(500, { code: "body-already-read", message: `the body was read before it came here: ${advice}` });
}

function earlierBytes(bytes: Uint8Array): EarlierRead {
  return { kind: "kept", bytes, isParsed: false };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function bytesIn(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return Buffer.from(value);
  return value instanceof Uint8Array ? value : undefined;
}

/** Undefined for a value that JSON cannot express, such as a circular one. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Calls `end` once, at the first `close`. Returns a function that stops listening. */
function onRequestEnd(request: IncomingMessage, response: ServerResponse, end: () => void): () => void {
  const stop = (): void => {
    request.off("close", onClose);
    response.off("close", onClose);
  };
  const onClose = (): void => {
    stop();
    end();
  };
  // Once the answer has been written, Node detaches the request: only the response closes.
  response.once("close", onClose);
  // While a pipelined request waits for the answers before its own, only the request closes.
  request.once("close", onClose);
  return stop;
}

/** True if no more of a request will arrive, so that `close` may have been emitted already. */
function hasEnded(request: IncomingMessage, response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed || (request.destroyed && !request.readableEnded);
}
