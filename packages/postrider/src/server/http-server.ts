// The listening side of node:http, bounded against callers who are slow, large or many, and with an end to it: told to
// stop, it takes no new connection, lets the answers under way go out, and closes what is idle. Knows nothing of what is
// asked or answered.

import type { Clock } from "@postrider/core";
import { MAX_REQUEST_BYTES, type RequestHead } from "@postrider/http";
import type { Logger } from "@postrider/relay";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { admitConnections } from "./connections/admit-connections.js";
import { HTTP_LIMITS, type HttpLimits } from "./http-limits.js";
import { createPipelineBound } from "./connections/pipeline-bound.js";
import { type Address, boundAddresses, type Listening, listenOn } from "./listen-on.js";
import { logDisplaced, logDropped } from "../log/log-dropped.js";
import { watchHandles } from "./watch-handles.js";

export interface HttpServer {
  listen(address: Address): Promise<Listening>;
  /** Where it listens, as its socket tells it; nowhere before and after. */
  addresses(): readonly Address[];
  /** How many connections are open. */
  connections(): number;
  /** Whether the process may open no further file or socket: new connections are cut then. */
  isOutOfHandles(): boolean;
  /** To be told of each request whether its head shows a known key: others make room when all places are taken. */
  noteHead(request: IncomingMessage, isKeyed: boolean): void;
  /** No new connections from now on. */
  close(): void;
  /** Resolves once every answer is out, at the latest after `graceMs`; then no connection is left. */
  drain(graceMs: number): Promise<void>;
}

export interface HttpServerOptions {
  readonly listener: OnRequest;
  readonly clock: Clock;
  /** Hears when connections are turned away. */
  readonly logger: Logger;
  /** Which requests bring so much that nobody can say how long it takes. None if absent. */
  readonly isUpload?: (head: RequestHead) => boolean;
  /** In place of the usual ones. */
  readonly limits?: Partial<HttpLimits>;
}

/** A server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { listener, clock, logger, isUpload = (): boolean => false } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const mayBegin = createPipelineBound(limits.maxPipelined, clock);
  const onRequest = (request: IncomingMessage, response: ServerResponse, asksLeave = false): void => {
    if (!mayBegin(request.socket)) return;
    const isBounded = !isUpload(headOf(request));
    const cancel = isBounded ? clock.after(limits.requestTimeoutMs, () => cutIfSlow(request, response)) : undefined;
    response.once("close", () => {
      cancel?.();
      if (!server.listening) server.closeIdleConnections();
    });
    response.on("timeout", () => cutIfIdle(request, response));
    admission.begin(request, response);
    if (hasTooManyHeaders(request, limits)) response.writeHead(431, { Connection: "close" }).end();
    else if (hasTwoHosts(request)) response.writeHead(400, { Connection: "close" }).end();
    else {
      // Of what is too long by what it declares, nothing need be sent.
      if (asksLeave && !(isBounded && isTooLong(request))) response.writeContinue();
      listener(request, response);
    }
  };
  const server = boundedServer(limits, (request, response) => onRequest(request, response));
  server.on("checkContinue", (request, response) => onRequest(request, response, true));
  const { maxConnections } = limits;
  const onDropped = logDropped(logger, clock, maxConnections);
  const admission = admitConnections(server, {
    limits,
    clock,
    onDropped,
    onDisplaced: logDisplaced(logger, clock, maxConnections),
  });
  server.on("drop", onDropped);
  const handles = watchHandles({ clock, logger, everyMs: limits.handleCheckMs });
  server.once("listening", handles.start);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  return {
    listen: (address) => listenOn(server, address),
    addresses: () => boundAddresses(server),
    connections: () => admission.connections(),
    noteHead: (request, isKeyed) => admission.noteHead(request, isKeyed),
    isOutOfHandles: () => handles.areUsedUp(),
    close: () => {
      handles.stop();
      server.close();
      admission.closeUnread();
    },
    drain: async (graceMs) => {
      const cancel = clock.after(graceMs, () => server.closeAllConnections());
      await closed;
      cancel();
    },
  };
}

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void;

// All said outright: some of these have other defaults from one Node to the next, and some can be weakened from outside.
function boundedServer(limits: HttpLimits, onRequest: OnRequest): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      // Node's holds for every request; ours is told which are uploads.
      requestTimeout: 0,
      connectionsCheckingInterval: limits.checkIntervalMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.maxHeaderBytes,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    onRequest,
  );
  server.timeout = limits.idleMs;
  // Those that are being closed to make room for others are open for a moment longer.
  server.maxConnections = 2 * limits.maxConnections;
  // Beyond its bound node leaves headers out without a word: with one more than is allowed, it can be seen.
  server.maxHeadersCount = limits.maxHeaders + 1;
  return server;
}

function headOf({ method = "GET", url = "/" }: IncomingMessage): RequestHead {
  return { method, path: url.split("?", 1)[0] ?? "" };
}

function isTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > MAX_REQUEST_BYTES;
}

/** Ends a connection on which a request is still arriving. */
function cutIfSlow(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  if (response.headersSent) response.destroy();
  else response.writeHead(408, { Connection: "close" }).end(() => response.destroy());
}

/** Nothing moves while a request that has arrived is worked off. Its answer does, and starts the time anew. */
function cutIfIdle(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete || response.headersSent) request.socket.destroy();
}

/** A proxy in between may have gone by the other one (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (field: string, index: number): boolean =>
    index % 2 === 0 && field.length === 4 && field.toLowerCase() === "host";
  const first = rawHeaders.findIndex(isHost);
  return rawHeaders.findLastIndex(isHost) !== first;
}

/** Names and values stand in one list. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage, { maxHeaders }: HttpLimits): boolean {
  return rawHeaders.length > 2 * maxHeaders;
}
