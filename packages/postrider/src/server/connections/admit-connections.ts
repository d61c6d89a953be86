// Applies two decisions to the connections of a server: which connection is closed when there are too many (connection-capacity.ts,
// decision: fair admission), and when a new connection is read (reading-queue.ts, decision: connections in turns).

import type { Clock } from "@postrider/core";
import { networkOf, overloadedAnswer } from "@postrider/http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type CapacityLimits, createConnectionCapacity } from "./connection-capacity.js";
import { createReadingQueue, type ReadingLimits } from "./reading-queue.js";

interface AdmissionOptions {
  readonly limits: CapacityLimits & ReadingLimits;
  readonly clock: Pick<Clock, "after">;
  /** Called for each connection that is closed in favour of a new one. */
  readonly onDisplaced: () => void;
  /** Called for each new connection that is closed because no other connection may be closed. */
  readonly onDropped: () => void;
}

interface Admission {
  /** The number of open connections, without those that are being closed. */
  connections(): number;
  /** To be called for each request, before it is handled. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Notes whether the head of a request shows a known key. */
  noteHead(request: IncomingMessage, isKeyed: boolean): void;
  /**
   * Closes connections that are not read yet or whose TLS handshake is not over, which `closeAllConnections` and
   * `closeIdleConnections` would not close.
   */
  closeUnread(): void;
}

/** Takes effect for each new connection of `server`. */
export function admitConnections(server: Server, options: AdmissionOptions): Admission {
  const { limits, clock } = options;
  const capacity = createConnectionCapacity<Socket>(limits);
  const startReading = holdReading(server);
  const accepted = createAcceptedSockets(server);
  const beginReading = (socket: Socket): void => {
    capacity.startReading(socket);
    accepted.begin(socket);
    startReading(socket);
  };
  const queue = createReadingQueue({ limits, read: beginReading, clock });
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    socket.on("error", ignore).once("close", () => {
      capacity.remove(socket);
      queue.remove(socket);
    });
    // A socket without an address has been closed by its caller already.
    const network = networkOf(socket.remoteAddress) ?? "";
    const displaced = capacity.add(socket, network);
    if (displaced !== socket) queue.add(socket, network);
    if (displaced === undefined) return;
    if (displaced === socket) options.onDropped();
    else options.onDisplaced();
    refuse(displaced, answering.get(displaced));
  });
  return {
    connections: () => capacity.size(),
    closeUnread: () => {
      for (const socket of queue.clear()) socket.destroy();
      accepted.closeUnfinished();
    },
    begin: ({ socket }, response) => void answering.set(accepted.carrierOf(socket), response),
    noteHead: (request, isKeyed) => {
      const socket = accepted.carrierOf(request.socket);
      capacity.setKeyed(socket, isKeyed);
      if (isKeyed) return;
      // Once the whole request has arrived, its caller is not slow any more: the connection stays open until it is
      // answered.
      request.once("end", () => capacity.setKeyed(socket, true));
      answering.get(socket)?.once("close", () => capacity.setKeyed(socket, false));
    },
  };
}

/** Makes a server read no connection by itself; the returned function starts to read a connection. */
function holdReading(server: Server): (socket: Socket) => void {
  // Node's own listener, which gives a connection its parser or begins the TLS handshake, would begin at once.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  // Servers of node:http take this option of node:net as a property only. Without it, the bytes of an unread connection
  // would be buffered in memory.
  Object.assign(server, { pauseOnConnect: true });
  return (socket) => {
    // Once the server stops, unread connections are closed like idle ones.
    if (!server.listening) socket.destroy();
    if (socket.destroyed) return;
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
}

/** Answers 503 to a request that is still arriving, if that can be written at once; then closes the connection. */
function refuse(socket: Socket, response: ServerResponse | undefined): void {
  // With TLS, the response is written to another socket.
  const target = response?.socket ?? socket;
  if (response === undefined || response.headersSent || response.writableEnded || target.writableLength > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = overloadedAnswer();
  response.writeHead(status, { ...Object.fromEntries(headers), Connection: "close" });
  response.end(body, () => socket.destroy());
}

function ignore(): void {
  // The connection broke, or its caller closed it: nothing is left to do.
}

interface AcceptedSockets {
  /** Notes a connection whose handshake, if there is one, begins now. */
  begin(socket: Socket): void;
  /** The accepted connection that carries the socket of a request. */
  carrierOf(socket: Socket): Socket;
  /** Closes the connections whose handshake is not over, which `closeIdleConnections` and its like would not close. */
  closeUnfinished(): void;
}

/**
 * Finds the accepted connection of a request. Without TLS that is the socket of the request. With TLS, Node gives the request another
 * socket, which it makes once the handshake is over, and does not say over which connection.
 */
function createAcceptedSockets(server: Server): AcceptedSockets {
  /** By their addresses, which no two open connections share. */
  const unfinished = new Map<string, Socket>();
  const carriers = new WeakMap<Socket, Socket>();
  const isSecure = server.listenerCount("secureConnection") > 0;
  server.on("secureConnection", (socket: Socket) => {
    const name = nameOf(socket);
    const carrier = unfinished.get(name);
    unfinished.delete(name);
    if (carrier !== undefined) carriers.set(socket, carrier);
  });
  return {
    begin: (socket) => {
      if (!isSecure) return;
      const name = nameOf(socket);
      unfinished.set(name, socket);
      socket.once("close", () => {
        if (unfinished.get(name) === socket) unfinished.delete(name);
      });
    },
    carrierOf: (socket) => carriers.get(socket) ?? socket,
    closeUnfinished: () => {
      for (const socket of [...unfinished.values()]) socket.destroy();
    },
  };
}

function nameOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return JSON.stringify([localAddress, localPort, remoteAddress, remotePort]);
}
