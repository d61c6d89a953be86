// The listening side of node:http, with an end to it: told to stop, it takes no new connection, lets the answers under
// way go out, and closes what is idle. Knows nothing of what is asked or answered.

import type { Clock } from "@postrider/core";
import type { NodeListener } from "@postrider/ingest";
import { createServer } from "node:http";
import { type Address, type Listening, listenOn } from "./listen-on.js";

export interface HttpServer {
  listen(address: Address): Promise<Listening>;
  /** No new connections from now on. */
  close(): void;
  /** Resolves once every answer is out, at the latest after `graceMs`; then no connection is left. */
  drain(graceMs: number): Promise<void>;
}

/** A server of `listener` that does not listen yet. */
export function createHttpServer(listener: NodeListener, clock: Clock): HttpServer {
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections();
    });
    listener(request, response);
  });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  return {
    listen: (address) => listenOn(server, address),
    close: () => void server.close(),
    drain: async (graceMs) => {
      const cancel = clock.after(graceMs, () => server.closeAllConnections());
      await closed;
      cancel();
    },
  };
}
