// A handler behind node:http: reads a bounded body, or hands it over piece by piece, and writes the answer. Decides
// nothing about what is asked. What requests hold is bounded for as long as they wait for their answer (decisions:
// limits on callers, a fair way in). Never throws: a caller who leaves is let go, a handler that breaks is a 500.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  LINGER_MS,
  MAX_HELD_BYTES,
  MAX_KEYLESS_BYTES,
  MAX_KEYLESS_BYTES_PER_ADDRESS,
  MAX_REQUEST_BYTES,
} from "./limits.js";
import { bodyAlreadyReadAnswer } from "./body-read-before.js";
import { createByteBudget } from "./byte-budget.js";
import { type CallerAddress, createCallerAddress } from "./caller-address.js";
import type { Answer, Handler, IncomingHead, IncomingRequest, RequestHead } from "./handler.js";
import { createNetworkBudgets } from "./network-budgets.js";
import { type Reading, readRequest, streamRequest } from "./read-request.js";
import { bugAnswer } from "./refusals.js";
import { createRequestShares, type OpenRequests } from "./request-capacity.js";

export interface ListenerOptions {
  /** The longest body that is read; of a longer one the handler hears only that it is. 512,000 if absent. */
  readonly limitBytes?: number;
  /**
   * What the bodies of all requests with a known key may hold that wait for their answer; of further ones the handler
   * hears that. 64 MiB if absent.
   */
  readonly heldBytes?: number;
  /** The same of requests whose head shows no key that the handler knows. 16 MiB if absent. */
  readonly keylessBytes?: number;
  /** The same of those of them that come from one address. 2 MiB if absent. */
  readonly keylessBytesPerAddress?: number;
  /**
   * Addresses and ranges of proxies that are believed in `X-Forwarded-For` and `Forwarded`. Absent, none is believed, and
   * loopback addresses count for no caller. As a function it is asked anew for each request.
   */
  readonly trustedProxies?: readonly string[] | (() => readonly string[] | undefined);
  /** Hears of each request, before its body is read, whether its head shows a known key. */
  readonly onHead?: (request: IncomingMessage, isKeyed: boolean) => void;
  /** Whose body is handed over as it arrives, unbounded and uncounted. None if absent. */
  readonly isStreamed?: (head: RequestHead) => boolean;
}

/** What requests hold of a listener. */
export interface HeldByRequests extends OpenRequests {
  /** What has been read of their bodies. */
  readonly bytes: number;
  /** What of it came without a known key. */
  readonly keylessBytes: number;
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
  const keyed = createByteBudget(options.heldBytes ?? MAX_HELD_BYTES);
  const keyless = createByteBudget(options.keylessBytes ?? MAX_KEYLESS_BYTES);
  const keylessOf = createNetworkBudgets(options.keylessBytesPerAddress ?? MAX_KEYLESS_BYTES_PER_ADDRESS, keyless);
  const addressOf = callerAddresses(options.trustedProxies);
  const isStreamed = options.isStreamed ?? ((): boolean => false);
  const shares = createRequestShares();
  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const head = plainHead(request, addressOf);
    const isKeyed = handler.knows?.(head) ?? true;
    options.onHead?.(request, isKeyed);
    const budget = isKeyed ? keyed : keylessOf(head.remoteAddress);
    const serving: Serving = { handler, isStreamed, limitBytes, head };
    await shares.lend(budget, (share) => serve(serving, { request, response, share }));
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection that breaks while a body is read or an answer is written is the caller's affair.
    request.on("error", ignore);
    response.on("error", ignore);
    begin(request, response).catch(() => response.destroy());
  };
  const held = (): HeldByRequests => ({
    ...shares.open(),
    bytes: keyed.held() + keyless.held(),
    keylessBytes: keyless.held(),
  });
  return Object.assign(listener, { held });
}

/** By the list in force; what is made of it lasts until there is another. */
function callerAddresses(proxies: ListenerOptions["trustedProxies"]): CallerAddress {
  if (typeof proxies !== "function") return createCallerAddress(proxies);
  let list = proxies();
  let addressOf = createCallerAddress(list);
  return (peer, headers) => {
    const inForce = proxies();
    if (inForce !== list) addressOf = createCallerAddress(inForce);
    list = inForce;
    return addressOf(peer, headers);
  };
}

interface Serving extends Required<Pick<ListenerOptions, "isStreamed" | "limitBytes">> {
  readonly handler: Handler;
  readonly head: IncomingHead;
}

async function serve({ handler, isStreamed, limitBytes, head }: Serving, reading: Reading): Promise<void> {
  const { request, response, share } = reading;
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

function plainHead(request: IncomingMessage, addressOf: CallerAddress): IncomingHead {
  // A request line may carry the whole URL (RFC 9112, 3.2.2).
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const at = target.indexOf("?");
  const headers = plainHeaders(request);
  // Gone with the connection, and absent where that was none over a network.
  const remoteAddress = addressOf(request.socket.remoteAddress, headers);
  return {
    method: request.method ?? "GET",
    path: at === -1 ? target : target.slice(0, at),
    query: at === -1 ? "" : target.slice(at + 1),
    headers,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  };
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
  response.setTimeout(LINGER_MS, () => {
    // Ending the request ends the connection, too, and spares the stack of an error that is not read; but it may have ended.
    response.req.destroy();
    response.destroy();
  });
}

function setHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
}

function ignore(): void {
  // Nothing is left to do.
}
