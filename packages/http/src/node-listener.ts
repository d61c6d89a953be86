// Serves a handler behind node:http: reads a bounded body, or hands it over piece by piece, and writes the answer. Bounds the bytes of all
// requests that are not answered yet (decisions: limits on callers, fair admission). The listener never throws: a request whose caller left is
// dropped, and if the handler throws, the answer is 500.

import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_HELD_BYTES, MAX_KEYLESS_BYTES, MAX_KEYLESS_BYTES_PER_NETWORK, MAX_REQUEST_BYTES } from "./limits.js";
import {
  bodyAlreadyReadAnswer,
  readRequestBody,
  type RequestExchange,
  streamRequestBody,
} from "./read-request-body.js";
import { createByteBudget, createNetworkBudgets, createRequestCapacity, type OpenRequests } from "./budgets.js";
import { type FindCallerAddress, createCallerAddressFinder } from "./callers.js";
import type { Answer, Handler, IncomingHead, IncomingRequest, RequestHead } from "./handler.js";
import { cutBasePath } from "./mounts.js";
import { internalErrorAnswer } from "./answers.js";
import { writeAnswer } from "./write-answer.js";

/** The options of `createNodeListener`. All bounds on bytes are in bytes. */
export interface ListenerOptions {
  /** The longest body that is read, in bytes; for a longer body the handler gets `too-large`. 512,000 if absent. */
  readonly limitBytes?: number;
  /**
   * Bytes that the bodies of all requests with a known key may have together until these are answered; for a body
   * beyond this bound the handler gets `no-room`. 64 MiB if absent.
   */
  readonly heldBytes?: number;
  /**
   * Bytes that the bodies of all other requests, whose head shows no known key, may have together. 16 MiB if absent.
   */
  readonly keylessBytes?: number;
  /** The part of `keylessBytes` that requests from one network may have. 2 MiB if absent. */
  readonly keylessBytesPerAddress?: number;
  /**
   * Addresses and ranges of proxies whose `X-Forwarded-For` and `Forwarded` are believed. If absent, neither header is
   * read, and requests from loopback addresses count for no address. If it is a function, it is called for each
   * request.
   */
  readonly trustedProxies?: readonly string[] | (() => readonly string[] | undefined);
  /** Called for each request, before its body is read, with whether its head shows a known key. */
  readonly onHead?: (request: IncomingMessage, isKeyed: boolean) => void;
  /**
   * The path under which the listener is mounted, such as `/segment`: it is cut from the path of each request. A request
   * elsewhere is answered 404. Empty if absent.
   */
  readonly basePath?: string | undefined;
  /** True if the body of a request is handed over as it arrives, with no bound on its length. False for every request if absent. */
  readonly isStreamed?: (head: RequestHead) => boolean;
}

/** The number of requests under way, and the memory that they use. */
interface RequestUsage extends OpenRequests {
  /** Bytes of the bodies of these requests that are in memory. */
  readonly bytes: number;
  /** The part of `bytes` that belongs to requests whose head shows no known key. */
  readonly keylessBytes: number;
}

/** The argument of `createServer` of `node:http`. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void;
  /** The requests under way now, and their memory. */
  held(): RequestUsage;
  /** Ends all answers that are streamed, and every later one as it begins. To be called when the server stops. */
  endStreams(): void;
}

/**
 * Creates a listener that answers with `handler`. If a body parser has already read a body, the listener takes the body
 * from `rawBody` or `body` of the request.
 */
export function createNodeListener(handler: Handler, options: ListenerOptions = {}): NodeListener {
  const limitBytes = options.limitBytes ?? MAX_REQUEST_BYTES;
  const keyed = createByteBudget(options.heldBytes ?? MAX_HELD_BYTES);
  const keyless = createByteBudget(options.keylessBytes ?? MAX_KEYLESS_BYTES);
  const keylessOf = createNetworkBudgets(options.keylessBytesPerAddress ?? MAX_KEYLESS_BYTES_PER_NETWORK, keyless);
  const addressOf = callerAddresses(options.trustedProxies);
  const { isStreamed = (): boolean => false, basePath = "" } = options;
  const capacity = createRequestCapacity();
  const streams = new AbortController();
  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const head = plainHead(request, basePath, addressOf);
    const isKeyed = handler.knows?.(head) ?? true;
    options.onHead?.(request, isKeyed);
    const budget = isKeyed ? keyed : keylessOf(head.remoteAddress);
    const served: ServedRequest = { handler, isStreamed, limitBytes, head, streamEnd: streams.signal };
    await capacity.during(budget, (reservation) => serve(served, { request, response, reservation }));
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // The connection broke while a body was read or an answer was written: nothing is left to do.
    request.on("error", ignore);
    response.on("error", ignore);
    begin(request, response).catch(() => response.destroy());
  };
  const requestUsage = (): RequestUsage => ({
    ...capacity.openRequests(),
    bytes: keyed.reserved() + keyless.reserved(),
    keylessBytes: keyless.reserved(),
  });
  return Object.assign(listener, { held: requestUsage, endStreams: (): void => streams.abort() });
}

/** Uses the list in force at each request; the list is compiled again only when it has changed. */
function callerAddresses(proxies: ListenerOptions["trustedProxies"]): FindCallerAddress {
  if (typeof proxies !== "function") return createCallerAddressFinder(proxies);
  let list = proxies();
  let addressOf = createCallerAddressFinder(list);
  return (peer, headers) => {
    const inForce = proxies();
    if (inForce !== list) addressOf = createCallerAddressFinder(inForce);
    list = inForce;
    return addressOf(peer, headers);
  };
}

interface ServedRequest extends Required<Pick<ListenerOptions, "isStreamed" | "limitBytes">> {
  readonly handler: Handler;
  readonly head: IncomingHead;
  /** Aborted once no answer may be streamed any more. */
  readonly streamEnd: AbortSignal;
}

async function serve(
  { handler, isStreamed, limitBytes, head, streamEnd }: ServedRequest,
  exchange: RequestExchange,
): Promise<void> {
  const { response, reservation } = exchange;
  const isStream = isStreamed(head);
  const body = isStream ? streamRequestBody(exchange) : await readRequestBody(exchange, limitBytes);
  if (body.kind === "gone") return;
  if (body.kind !== "streamed") reservation.endReading();
  // The body is added in place: a head has one request, and a copy would cost more than most of the work on it.
  const answer =
    body.kind === "lost" ? lostAnswer() : await ask(handler, Object.assign(head, { body })).catch(internalErrorAnswer);
  if (response.headersSent || response.destroyed) return;
  await writeAnswer(exchange, answer, streamEnd);
}

// Async, so that a handler that throws is caught like one that rejects.
async function ask(handler: Handler, request: IncomingRequest): Promise<Answer> {
  return handler(request);
}

function lostAnswer(): Answer {
  return bodyAlreadyReadAnswer(
    "mount the listener before every body parser, or leave what was read in rawBody or body of the request of node:http, " +
      "which is context.req in Koa and request.raw in Fastify",
  );
}

/** Express cuts the path of a mount from `url`, and keeps the whole URL here. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string };

function plainHead(request: MountedRequest, basePath: string, addressOf: FindCallerAddress): IncomingHead {
  const url = basePath === "" ? request.url : (request.originalUrl ?? request.url);
  // A request line may have the whole URL (RFC 9112, 3.2.2).
  const target = (url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const at = target.indexOf("?");
  const headers = plainHeaders(request);
  const head: MutableHead = {
    method: request.method ?? "GET",
    path: cutBasePath(at === -1 ? target : target.slice(0, at), basePath),
    query: at === -1 ? "" : target.slice(at + 1),
    headers,
  };
  // The address of a socket is undefined once its connection is closed, and if the connection is not over a network.
  const remoteAddress = addressOf(request.socket.remoteAddress, headers);
  const mountPath = mountPathOf(request, basePath);
  if (remoteAddress !== undefined) head.remoteAddress = remoteAddress;
  if (mountPath !== undefined) head.mountPath = mountPath;
  return head;
}

type MutableHead = { -readonly [Name in keyof IncomingHead]: IncomingHead[Name] };

function mountPathOf({ url = "", originalUrl }: MountedRequest, basePath: string): string | undefined {
  if (basePath !== "") return basePath;
  const isCut = originalUrl !== undefined && originalUrl.length > url.length && originalUrl.endsWith(url);
  return isCut ? originalUrl.slice(0, -url.length) : undefined;
}

function plainHeaders({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const plain = new Map<string, string>();
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) plain.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return plain;
}

function ignore(): void {
  // Nothing is left to do.
}
