// The HTTP server of Node, with or without TLS, and with bounds on slow, large and many requests. When it closes, it accepts no new
// connections, still sends the answers under way, and closes idle connections.

import type { Clock } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { MAX_REQUEST_BYTES, type RequestHead } from "@postrider/http";
import type { Logger } from "@postrider/relay";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { createDisplacedLog, createDroppedLog, createHandshakeLog } from "../log/server-logger.js";
import { admitConnections } from "./connections/admit-connections.js";
import { watchForHandleExhaustion } from "./handle-watch.js";
import { HTTP_LIMITS, type HttpLimits } from "./http-limits.js";
import { type Address, boundAddresses, listenOn, type ListenResult } from "./listen-on.js";
import { secureContextOptions, type TlsPair } from "./tls/tls-pair.js";

export interface HttpServer {
  listen(address: Address): Promise<ListenResult>;
  /** The address on which the server listens; none before it listens and after it is closed. */
  addresses(): readonly Address[];
  /** The number of open connections. */
  connections(): number;
  /** True if the process can open no further file or socket; new connections are closed then. */
  isOutOfHandles(): boolean;
  /**
   * Notes whether the head of a request shows a known key. Connections without a known key are closed first if there
   * are too many connections.
   */
  noteHead(request: IncomingMessage, isKeyed: boolean): void;
  /** Shows this pair to new connections. No effect on a server without TLS. */
  readonly usePair: (pair: TlsPair) => void;
  /** Accepts no new connections from now on. */
  close(): void;
  /** Resolves once every answer is sent, at the latest after `graceMs`; then no connection is left. */
  drain(graceMs: number): Promise<void>;
}

interface HttpServerOptions {
  readonly listener: RequestListener;
  readonly clock: Clock;
  /** Logs dropped and displaced connections. */
  readonly logger: Logger;
  /** True if a request may take any time to arrive. If absent, no request may. */
  readonly isUpload?: (head: RequestHead) => boolean;
  /** The certificate to show, with its key; without it, the server speaks plain HTTP. */
  readonly pair?: TlsPair | undefined;
  /** Replace the default limits. */
  readonly limits?: Partial<HttpLimits>;
}

/** A server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { listener, clock, logger, pair, isUpload = (): boolean => false } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const mayHandle = createPipelineBound(limits.maxPipelined, clock);
  const deadlines = createDeadlines(clock);
  const onRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue = false): void => {
    if (!mayHandle(request.socket)) return;
    const isBounded = !isUpload(headOf(request));
    const deadline = isBounded
      ? deadlines.begin(limits.requestTimeoutMs, () => cutIfSlow(request, response))
      : undefined;
    response.once("close", () => {
      if (deadline !== undefined) deadlines.end(deadline);
      if (!server.listening) server.closeIdleConnections();
    });
    response.on("timeout", () => cutIfIdle(request, response));
    admission.begin(request, response);
    if (hasTooManyHeaders(request, limits)) response.writeHead(431, { Connection: "close" }).end();
    else if (hasTwoHosts(request)) response.writeHead(400, { Connection: "close" }).end();
    else {
      // The body of a request that declares too long a body need not be sent.
      if (expectsContinue && !(isBounded && isTooLong(request))) response.writeContinue();
      listener(request, response);
    }
  };
  const { server, scheme, usePair } = createBoundedServer(limits, pair, (request, response) =>
    onRequest(request, response),
  );
  server.on("checkContinue", (request, response) => onRequest(request, response, true));
  const { maxConnections } = limits;
  const onDropped = createDroppedLog(logger, clock, maxConnections);
  const admission = admitConnections(server, {
    limits,
    clock,
    onDropped,
    onDisplaced: createDisplacedLog(logger, clock, maxConnections),
  });
  server.on("drop", onDropped);
  server.on("tlsClientError", createHandshakeLog(logger, clock));
  const handles = watchForHandleExhaustion({ clock, logger, everyMs: limits.handleCheckMs });
  server.once("listening", handles.start);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  return {
    listen: (address) => listenOn(server, address, scheme),
    addresses: () => boundAddresses(server),
    connections: () => admission.connections(),
    noteHead: (request, isKeyed) => admission.noteHead(request, isKeyed),
    usePair,
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

function headOf({ method = "GET", url = "/" }: IncomingMessage): RequestHead {
  const at = url.indexOf("?");
  return { method, path: at === -1 ? url : url.slice(0, at) };
}

function isTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > MAX_REQUEST_BYTES;
}

/** Answers 408 and closes a connection whose request is still arriving. */
function cutIfSlow(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  if (response.headersSent) response.destroy();
  else response.writeHead(408, { Connection: "close" }).end(() => response.destroy());
}

/** A complete request that is being handled keeps its connection; its answer restarts the idle time. */
function cutIfIdle(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete || response.headersSent) request.socket.destroy();
}

/** Two Host fields are refused, since a proxy in front may use another field than this server (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** `rawHeaders` has two items for each header: its name and its value. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage, { maxHeaders }: HttpLimits): boolean {
  return rawHeaders.length > 2 * maxHeaders;
}

interface BoundedServer {
  readonly server: Server;
  /** The beginning of its URL. */
  readonly scheme: "http" | "https";
  /** Shows this pair to new connections. No effect on a server without TLS. */
  readonly usePair: (pair: TlsPair) => void;
}

/** A server with TLS if there is a pair. All options are explicit: defaults differ between versions of Node and by its flags. */
function createBoundedServer(limits: HttpLimits, pair: TlsPair | undefined, onRequest: RequestListener): BoundedServer {
  const boundedServer = pair === undefined ? createPlain(limits, onRequest) : createSecure(limits, pair, onRequest);
  const { server } = boundedServer;
  server.timeout = limits.idleMs;
  // Connections that are being closed for new connections stay open a little longer.
  server.maxConnections = 2 * limits.maxConnections;
  // Beyond this bound Node drops headers silently; with one header more than allowed, the excess is visible.
  server.maxHeadersCount = limits.maxHeaders + 1;
  return boundedServer;
}

function createPlain(limits: HttpLimits, onRequest: RequestListener): BoundedServer {
  const server = createServer(httpOptions(limits), onRequest);
  return { server, scheme: "http", usePair: () => undefined };
}

function createSecure(limits: HttpLimits, pair: TlsPair, onRequest: RequestListener): BoundedServer {
  const { handshakeTimeoutMs: handshakeTimeout } = limits;
  const options = { ...httpOptions(limits), ...secureContextOptions(pair), handshakeTimeout };
  const server = createTlsServer(options, onRequest);
  return { server, scheme: "https", usePair: (newPair) => server.setSecureContext(secureContextOptions(newPair)) };
}

function httpOptions(limits: HttpLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    // Node's limit would apply to uploads too; that of `createHttpServer` does not.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.checkIntervalMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.maxHeaderBytes,
    insecureHTTPParser: false,
    requireHostHeader: true,
  };
}

/** Returns whether a further request of a connection may be handled; if not, the connection is closed. */
type MayHandleRequest = (socket: Socket) => boolean;

function createPipelineBound(maxPipelined: number, clock: Pick<Clock, "after">): MayHandleRequest {
  const handledCounts = new Map<Socket, number>();
  return (socket) => {
    // Bytes that have been read are parsed to their end, even after the connection is closed.
    if (socket.destroyed) return false;
    const count = (handledCounts.get(socket) ?? 0) + 1;
    if (handledCounts.size === 0) clock.after(0, () => handledCounts.clear());
    handledCounts.set(socket, count);
    if (count > maxPipelined) socket.destroy();
    return count <= maxPipelined;
  };
}
