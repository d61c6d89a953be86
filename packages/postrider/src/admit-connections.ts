// Holds the connections of a server to their bound: when all places are taken, the one that has lost its place is told
// and closed (decision: a fair way in). Which one that is, is decided in connection-places.ts.

import { networkOf, overloadedAnswer } from "@postrider/ingest";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createConnectionPlaces, type PlacesOptions } from "./connection-places.js";

export interface AdmitOptions {
  readonly limits: PlacesOptions;
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
}

/** From now on, for every connection of `server`. */
export function admitConnections(server: Server, options: AdmitOptions): Admission {
  const places = createConnectionPlaces<Socket>(options.limits);
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    socket.once("close", () => places.leave(socket));
    // Where the address is gone already, so is the caller.
    const loser = places.enter(socket, networkOf(socket.remoteAddress) ?? "");
    if (loser === undefined) return;
    if (loser === socket) options.onDropped();
    else options.onDisplaced();
    turnAway(loser, answering.get(loser));
  });
  return {
    connections: () => places.size(),
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
