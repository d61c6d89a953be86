// Creates a server of node:http or node:https with the bounds of Node itself. All options are explicit: some defaults differ
// between versions of Node, and some can be changed by command line flags.

import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { HttpLimits } from "./http-limits.js";
import type { TlsPair } from "./tls/tls-pair.js";
import { secureContextOptions } from "./tls/secure-context-options.js";

export interface BoundedServer {
  readonly server: Server;
  /** The beginning of its URL. */
  readonly scheme: "http" | "https";
  /** Shows this pair to new connections. No effect on a server without TLS. */
  readonly usePair: (pair: TlsPair) => void;
}

/** A server with TLS if there is a pair. */
export function createBoundedServer(
  limits: HttpLimits,
  pair: TlsPair | undefined,
  onRequest: RequestListener,
): BoundedServer {
  const bounded = pair === undefined ? createPlain(limits, onRequest) : createSecure(limits, pair, onRequest);
  const { server } = bounded;
  server.timeout = limits.idleMs;
  // Connections that are being closed for new connections stay open a little longer.
  server.maxConnections = 2 * limits.maxConnections;
  // Beyond this bound Node drops headers silently; with one header more than allowed, the excess is visible.
  server.maxHeadersCount = limits.maxHeaders + 1;
  return bounded;
}

function createPlain(limits: HttpLimits, onRequest: RequestListener): BoundedServer {
  const server = createServer(httpOptions(limits), onRequest);
  return { server, scheme: "http", usePair: () => undefined };
}

function createSecure(limits: HttpLimits, pair: TlsPair, onRequest: RequestListener): BoundedServer {
  const { handshakeTimeoutMs: handshakeTimeout } = limits;
  const options = { ...httpOptions(limits), ...secureContextOptions(pair), handshakeTimeout };
  const server = createTlsServer(options, onRequest);
  return { server, scheme: "https", usePair: (next) => server.setSecureContext(secureContextOptions(next)) };
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
