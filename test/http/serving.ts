// A real server on the loopback, for as long as one test runs, and a raw connection to it.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createNodeListener, type Handler, type ListenerOptions, type NodeListener } from "@postrider/http";

export interface Serving {
  readonly url: string;
  readonly server: Server;
  readonly listener: NodeListener;
  readonly connect: () => Promise<Socket>;
}

/** Serves a handler while `use` runs, and ends every connection after it. */
export async function serving(
  handler: Handler,
  use: (served: Serving) => Promise<void>,
  options: ListenerOptions = {},
): Promise<void> {
  const listener = createNodeListener(handler, options);
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await use({ url: `http://127.0.0.1:${String(port)}`, server, listener, connect: () => dial(port) });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** All that comes until the other side closes, or until `until` is in it. */
export function receive(socket: Socket, until?: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (until !== undefined && text.includes(until)) resolve(text);
    });
    socket.on("close", () => {
      resolve(text);
    });
  });
}
