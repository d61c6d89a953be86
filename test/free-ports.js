// Ports of the loopback for what listens later, or again after its end. A system gives the ports that it chooses to connections and
// to whatever asks for any port, so one that was free a moment ago may be taken: these ports it never chooses.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that a system chooses (from 32,768 on Linux, from 49,152 elsewhere), at random. */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const MAX_TRIES = 1_000;

/** Listens where it can listen again after it was closed. Answers the port. */
export async function listenForRestarts(server) {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const listening = once(server, "listening");
    server.listen(port, "127.0.0.1");
    const isMine = await listening.then(
      () => true,
      (error) => {
        if (error.code !== "EADDRINUSE") throw error;
        return false;
      },
    );
    if (isMine) return port;
  }
  throw new Error("no port is free");
}

/** A port where a program may listen, end, and listen again. */
export async function portForRestarts() {
  const server = createServer();
  const port = await listenForRestarts(server);
  await new Promise((resolve) => server.close(() => resolve()));
  return port;
}
