// Servers of tests, on a free port of the loopback unless one is named.

import { once } from "node:events";
import type { AddressInfo, Server as NetServer } from "node:net";
import type { Server } from "node:http";

export { listenForRestarts, portForRestarts } from "./free-ports.js";

/** Answers the port. Rejects if it is taken. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
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
