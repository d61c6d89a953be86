// A handler behind node:http: reads a bounded body, or hands it over piece by piece, and writes the answer. Decides
// nothing about what is asked. All bodies that are read together are bounded too, for as long as they wait for their
// answer (decision: limits on callers). Never throws: a caller who leaves is let go, a handler that breaks is a 500.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LINGER_MS, MAX_HELD_BYTES, MAX_REQUEST_BYTES } from "../limits.js";
import { type ByteBudget, createByteBudget, type Hold } from "./byte-budget.js";
import { isReadEncoding } from "./content-encoding.js";
import type { Answer, Handler, IncomingRequest, RequestBody, RequestHead } from "./handler.js";
import { bugAnswer } from "./json-answer.js";

export interface ListenerOptions {
  /** The longest body that is read; of a longer one the handler hears only that it is. 512,000 if absent. */
  readonly limitBytes?: number;
  /** What all bodies that wait for their answer may hold; of further ones the handler hears that. 64 MiB if absent. */
  readonly heldBytes?: number;
  /** Whose body is handed over as it arrives, unbounded and uncounted. None if absent. */
  readonly isStreamed?: (head: RequestHead) => boolean;
}

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What `node:http`'s `createServer` takes. */
export function createNodeListener(handler: Handler, options: ListenerOptions = {}): NodeListener {
  const limitBytes = options.limitBytes ?? MAX_REQUEST_BYTES;
  const held = createByteBudget(options.heldBytes ?? MAX_HELD_BYTES);
  const isStreamed = options.isStreamed ?? ((): boolean => false);
  return (request, response) => {
    // A connection that breaks while an answer is written is the caller's affair.
    response.on("error", ignore);
    serve({ handler, isStreamed, limitBytes, held, request, response }).catch(() => response.destroy());
  };
}

interface Exchange {
  readonly handler: Handler;
  readonly isStreamed: (head: RequestHead) => boolean;
  readonly limitBytes: number;
  readonly held: ByteBudget;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(exchange: Exchange): Promise<void> {
  const hold = exchange.held.open();
  try {
    await exchangeWithin(exchange, hold);
  } finally {
    hold.release();
  }
}

async function exchangeWithin(exchange: Exchange, hold: Hold): Promise<void> {
  const { handler, request, response } = exchange;
  const head = plainHead(request);
  const body = await bodyOf(exchange, head, hold);
  if (body === undefined) return;
  const answer = await ask(handler, { ...head, body }).catch(bugAnswer);
  if (response.destroyed) return;
  if (request.readableEnded) send(response, answer);
  else sendAndLinger(response, answer);
}

// Async, so that a handler which throws at once is caught like one that rejects.
async function ask(handler: Handler, request: IncomingRequest): Promise<Answer> {
  return handler(request);
}

/** Undefined when the caller left before the end. */
async function bodyOf(exchange: Exchange, head: RequestHead, hold: Hold): Promise<RequestBody | undefined> {
  const { isStreamed, request, response } = exchange;
  if (!isReadEncoding(request.headers["content-encoding"])) return { kind: "unread-encoding" };
  return isStreamed(head) ? streamBody(request, response) : readBody(exchange, hold);
}

// Once all of it is in, the caller has nothing more to say, and the answer may take as long as it takes.
function streamBody(request: IncomingMessage, response: ServerResponse): RequestBody {
  request.on("error", ignore);
  request.once("end", () => response.setTimeout(0));
  return { kind: "streamed", chunks: request };
}

/** Undefined when the caller left before the end. */
async function readBody({ request, limitBytes, held }: Exchange, hold: Hold): Promise<RequestBody | undefined> {
  request.on("error", ignore);
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) return { kind: "too-large" };
  return held.fits(declared) ? collect(request, limitBytes, hold) : { kind: "no-room" };
}

function collect(request: IncomingMessage, limitBytes: number, hold: Hold): Promise<RequestBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const giveUp = (kind: "too-large" | "no-room"): void => {
      request.pause();
      // The caller may linger; what came of its body need not.
      chunks.length = 0;
      resolve({ kind });
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) giveUp("too-large");
      else if (!hold.take(chunk.length)) giveUp("no-room");
      else chunks.push(chunk);
    });
    request.on("end", () => resolve({ kind: "read", bytes: joined(chunks) }));
    request.on("close", () => resolve(undefined));
  });
}

/** Nearly all bodies come in one piece, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

function plainHead(request: IncomingMessage): Omit<IncomingRequest, "body"> {
  // A request line may carry the whole URL (RFC 9112, 3.2.2).
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const at = target.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: at === -1 ? target : target.slice(0, at),
    query: at === -1 ? "" : target.slice(at + 1),
    headers: plainHeaders(request),
    ...remoteAddressOf(request),
  };
}

/** Without one where the connection is gone already, or was none over a network. */
function remoteAddressOf({ socket: { remoteAddress } }: IncomingMessage): Pick<IncomingRequest, "remoteAddress"> {
  return remoteAddress === undefined ? {} : { remoteAddress };
}

function plainHeaders(request: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return headers;
}

function send(response: ServerResponse, answer: Answer): void {
  setHead(response, answer);
  response.end(answer.body);
}

// What is still coming is not read. Closing at once would reset the connection, and the answer could be lost with it:
// so the whole answer is sent, and the caller has a moment to read it and to hang up.
function sendAndLinger(response: ServerResponse, answer: Answer): void {
  setHead(response, answer);
  response.setHeader("Connection", "close");
  response.setHeader("Content-Length", Buffer.byteLength(answer.body));
  response.write(answer.body);
  response.setTimeout(LINGER_MS, () => response.destroy());
}

function setHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
}

function ignore(): void {
  // Nothing is left to do.
}
