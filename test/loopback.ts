// Servers of tests, on a free port of the loopback unless one is named.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Server as NetServer } from "node:net";
import { createServer, type Server } from "node:http";

/** Answers the port. Rejects if it is taken. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Below the ports that a system gives to connections (from 32,768 on Linux, from 49,152 elsewhere), at random. */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;

/**
 * Listens where it can listen again after it was closed. The port of a closed server that the system had chosen may be
 * given to a connection of any other test before it comes back.
 */
export async function listenForRestarts(server: NetServer): Promise<number> {
  for (let tries = 0; tries < LAST_PORT - FIRST_PORT; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const isMine = await listen(server, port).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
        return false;
      },
    );
    if (isMine) return port;
  }
  throw new Error("no port is free");
}

/** A port where a program may listen, end, and listen again. */
export async function portForRestarts(): Promise<number> {
  const server = createServer();
  const port = await listenForRestarts(server);
  await close(server);
  return port;
}

/** Ends every connection too. One that is closed already may be closed again. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
