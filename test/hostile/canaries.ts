// Listeners on this machine that must not be reached. They count connections and bytes.

import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface Canaries {
  /** Where each one listens. */
  readonly places: readonly { readonly host: string; readonly port: number }[];
  readonly ports: readonly number[];
  /** Connections to any of them. */
  connections(): number;
  /** Bytes that were sent to any of them. */
  bytes(): number;
  close(): Promise<void>;
}

/** One on 127.0.0.1, one on ::1, one on 0.0.0.0. */
export async function startCanaries(): Promise<Canaries> {
  let connections = 0;
  let bytes = 0;
  const sockets = new Set<Socket>();
  const open = (host: string): Promise<Server> =>
    listen(host, (socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on("error", () => undefined).on("data", (chunk) => (bytes += chunk.length));
      socket.on("close", () => sockets.delete(socket));
    });
  const hosts = ["127.0.0.1", "::1", "0.0.0.0"];
  const servers = await Promise.all(hosts.map(open));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  return {
    places: hosts.map((host, index) => ({ host, port: ports[index]! })),
    ports,
    connections: () => connections,
    bytes: () => bytes,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listen(host: string, greet: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(greet);
    server.once("error", reject).listen(0, host, () => resolve(server));
  });
}
