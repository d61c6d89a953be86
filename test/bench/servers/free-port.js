// A port of the loopback that is free at this moment, for servers that cannot choose one.

import { createServer } from "node:net";

export function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
