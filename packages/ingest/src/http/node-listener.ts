// A handler behind node:http: reads a bounded body, or hands it over piece by piece, and writes the answer. Decides
// nothing about what is asked. What requests hold is bounded for as long as they wait for their answer (decision:
// limits on callers). Never throws: a caller who leaves is let go, a handler that breaks is a 500.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LINGER_MS, MAX_HELD_BYTES, MAX_REQUEST_BYTES } from "../limits.js";
import { bodyAlreadyReadAnswer } from "./body-read-before.js";
import { createByteBudget } from "./byte-budget.js";
import type { Answer, Handler, IncomingRequest, RequestHead } from "./handler.js";
import { bugAnswer } from "./json-answer.js";
import { type Reading, readRequest, streamRequest } from "./read-request.js";
import { createRequestShares, type HeldByRequests } from "./request-shares.js";

export interface ListenerOptions {
  /** The longest body that is read; of a longer one the handler hears only that it is. 512,000 if absent. */
  readonly limitBytes?: number;
  /** What all bodies that wait for their answer may hold; of further ones the handler hears that. 64 MiB if absent. */
  readonly heldBytes?: number;
  /** Whose body is handed over as it arrives, unbounded and uncounted. None if absent. */
  readonly isStreamed?: (head: RequestHead) => boolean;
}

/** What `node:http`'s `createServer` takes. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void;
  /** What the requests under way hold now. */
  held(): HeldByRequests;
}

/** Answers by `handler`. Behind a body parser it takes what the parser has left in `rawBody` or `body`. */
export function createNodeListener(handler: Handler, options: ListenerOptions = {}): NodeListener {
  const limitBytes = options.limitBytes ?? MAX_REQUEST_BYTES;
  const budget = createByteBudget(options.heldBytes ?? MAX_HELD_BYTES);
  const isStreamed = options.isStreamed ?? ((): boolean => false);
  const shares = createRequestShares();
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection that breaks while a body is read or an answer is written is the caller's affair.
    request.on("error", ignore);
    response.on("error", ignore);
    shares
      .lend(budget, (share) => serve({ handler, isStreamed, limitBytes }, { request, response, share }))
      .catch(() => response.destroy());
  };
  return Object.assign(listener, { held: () => shares.held() });
}

type Serving = Required<Pick<ListenerOptions, "isStreamed" | "limitBytes">> & { readonly handler: Handler };

async function serve({ handler, isStreamed, limitBytes }: Serving, reading: Reading): Promise<void> {
  const { request, response, share } = reading;
  const head = plainHead(request);
  const isStream = isStreamed(head);
  const body = isStream ? streamRequest(reading) : await readRequest(reading, limitBytes);
  if (body.kind === "gone") return;
  if (body.kind !== "streamed") share.endReading();
  const answer = body.kind === "lost" ? lostAnswer() : await ask(handler, { ...head, body }).catch(bugAnswer);
  if (response.headersSent || response.destroyed) return;
  if (request.readableEnded) send(response, answer);
  else sendAndLinger(response, answer);
}

// Async, so that a handler which throws at once is caught like one that rejects.
async function ask(handler: Handler, request: IncomingRequest): Promise<Answer> {
  return handler(request);
}

function lostAnswer(): Answer {
  return bodyAlreadyReadAnswer(
    "mount the listener before every body parser, or leave what was read in request.rawBody or request.body",
  );
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
