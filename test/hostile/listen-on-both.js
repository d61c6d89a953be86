// Finds a port for two sockets, one of TCP and one of UDP. A port that is free for one may be another program's for the other.

import { once } from "node:events";

/** Ports that are tried. */
export const MAX_PORT_TRIES = 20;

const HOST = "127.0.0.1";

/**
 * Listens with both on one port of the loopback, and answers it.
 *
 * @param {import("node:dgram").Socket} udp
 * @param {import("node:net").Server} tcp
 * @param {() => number} choose - the port to try next; 0 takes any that is free for TCP
 * @throws {Error} if none of `MAX_PORT_TRIES` ports is free for both
 */
export async function listenOnBoth(udp, tcp, choose = () => 0) {
  for (let tries = 0; tries < MAX_PORT_TRIES; tries += 1) {
    if (!(await isMine(tcp, () => tcp.listen(choose(), HOST)))) continue;
    const { port } = tcp.address();
    if (await isMine(udp, () => udp.bind(port, HOST))) return port;
    await new Promise((resolve) => tcp.close(resolve));
  }
  throw new Error(`no port of ${MAX_PORT_TRIES} is free for TCP and UDP`);
}

/** False if another program has the port. */
async function isMine(socket, listen) {
  const answer = once(socket, "listening");
  listen();
  return answer.then(
    () => true,
    (error) => {
      if (error.code !== "EADDRINUSE") throw error;
      return false;
    },
  );
}
