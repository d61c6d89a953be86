// Holds the connections of a server to their bound: when all places are taken, the one that has lost its place is told
// and closed (decision: a fair way in). Which one that is, is decided in connection-places.ts. A connection is not read
// before its turn has come, which is decided in paced-starts.ts (decision: connections in turns).

import type { Clock } from "@postrider/core";
import { networkOf, overloadedAnswer } from "@postrider/http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createConnectionPlaces, type PlacesOptions } from "./connection-capacity.js";
import { createPacedStarts, type StartLimits } from "./reading-queue.js";

export interface AdmitOptions {
  readonly limits: PlacesOptions & StartLimits;
  readonly clock: Pick<Clock, "after">;
  /** Called for each connection that makes room for another. */
  readonly onDisplaced: () => void;
  /** Called for each new connection that finds no room. */
  readonly onDropped: () => void;
}

export interface Admission {
  /** How many connections are open, those aside that are being closed. */
  connections(): number;
  /** To be called for each request, before it is looked at. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Notes whether the head of a request shows a known key. */
  noteHead(request: IncomingMessage, isKeyed: boolean): void;
  /** Closes connections that are not read yet; `closeAllConnections` and `closeIdleConnections` do not know them. */
  closeUnread(): void;
}

/** From now on, for every connection of `server`. */
export function admitConnections(server: Server, options: AdmitOptions): Admission {
  const { limits } = options;
  const places = createConnectionPlaces<Socket>(limits);
  const read = holdReading(server);
  const start = (socket: Socket): void => {
    places.begin(socket);
    read(socket);
  };
  const starts = createPacedStarts({ limits, start, clock: options.clock });
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    socket.on("error", ignore).once("close", () => {
      places.leave(socket);
      starts.leave(socket);
    });
    // Where the address is gone already, so is the caller.
    const network = networkOf(socket.remoteAddress) ?? "";
    const loser = places.enter(socket, network);
    if (loser !== socket) starts.enter(socket, network);
    if (loser === undefined) return;
    if (loser === socket) options.onDropped();
    else options.onDisplaced();
    turnAway(loser, answering.get(loser));
  });
  return {
    connections: () => places.size(),
    closeUnread: () => {
      for (const socket of starts.clear()) socket.destroy();
    },
    begin: ({ socket }, response) => void answering.set(socket, response),
    noteHead: (request, isKeyed) => {
      const { socket } = request;
      places.note(socket, isKeyed);
      if (isKeyed) return;
      // With all of it in, it is our turn; and what is being answered has to be answered.
      request.once("end", () => places.note(socket, true));
      answering.get(socket)?.once("close", () => places.note(socket, false));
    },
  };
}

/** Makes a server read a connection only when it is told to; answers how to tell it. */
function holdReading(server: Server): (socket: Socket) => void {
  // Node's own listener, which gives a connection its parser, would begin at once.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  // An option of the servers of node:net that those of node:http have as a property only. Without it, what a caller sends
  // before its turn would be held in memory.
  Object.assign(server, { pauseOnConnect: true });
  return (socket) => {
    // One that has not begun when the server is told to stop is closed like one that is idle.
    if (!server.listening) socket.destroy();
    if (socket.destroyed) return;
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
}

/** Tells a caller whose request is still arriving to come again, where that can be said at once. */
function turnAway(socket: Socket, response: ServerResponse | undefined): void {
  if (response === undefined || response.headersSent || response.writableEnded || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = overloadedAnswer();
  response.writeHead(status, { ...Object.fromEntries(headers), Connection: "close" });
  response.end(body, () => socket.destroy());
}

function ignore(): void {
  // A connection that breaks is the caller's affair.
}
