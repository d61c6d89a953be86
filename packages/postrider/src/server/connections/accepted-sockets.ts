// Finds the accepted connection of a request. Without TLS that is the socket of the request. With TLS, Node gives the request
// another socket, which it makes once the handshake is over, and does not tell over which connection.

import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface AcceptedSockets {
  /** Notes a connection whose handshake, if there is one, begins now. */
  begin(socket: Socket): void;
  /** The accepted connection that carries the socket of a request. */
  carrierOf(socket: Socket): Socket;
  /** Closes the connections whose handshake is not over, which `closeIdleConnections` and its like would not close. */
  closeUnfinished(): void;
}

/** Knows the connections of a server. */
export function createAcceptedSockets(server: Server): AcceptedSockets {
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
