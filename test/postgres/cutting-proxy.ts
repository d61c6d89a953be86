// Stands between a server and its database, and cuts one connection at one place: before a request reaches the database, or within
// its reply, after the database has carried it out.

import { createConnection, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tempFolder } from "../postrider/config-file.js";

const SOCKET = ".s.PGSQL.5432";

/** Where a connection is cut: `request`, or after a number of bytes of the reply, whose length is given. */
export type CutAt = "request" | ((replyBytes: number) => number);

export interface CuttingProxy {
  /** The folder of its socket, as a host of PostgreSQL. */
  readonly folder: string;
  /** Cuts the connection over which the first request with this text goes from now on. Resolves once it has. */
  cut(text: string, at: CutAt): Promise<void>;
}

interface Order {
  readonly text: string;
  readonly at: CutAt;
  readonly done: () => void;
}

/** Starts a proxy before the server whose socket is in `target`; it is closed after the test. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const folder = tempFolder();
  const open = new Set<Socket>();
  let order: Order | undefined;
  const server = createServer((near) => {
    connect(near, createConnection(join(target, SOCKET)));
  });
  server.listen(join(folder, SOCKET));
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });

  function connect(near: Socket, far: Socket): void {
    let cutting: Order | undefined;
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
    }
    near.on("close", () => far.end());
    far.on("close", () => near.destroy());
    near.on("data", (request) => {
      if (order !== undefined && request.includes(order.text)) {
        [cutting, order] = [order, undefined];
        if (cutting.at === "request") {
          finish(cutting);
          return;
        }
      }
      far.write(request);
    });
    far.on("data", (reply) => {
      if (cutting === undefined || cutting.at === "request") near.write(reply);
      else near.write(reply.subarray(0, cutting.at(reply.length)), () => finish(cutting));
    });

    function finish(by: Order | undefined): void {
      near.destroy();
      far.destroy();
      by?.done();
    }
  }

  return {
    folder,
    cut: (text, at) =>
      new Promise((resolve) => {
        order = { text, at, done: resolve };
      }),
  };
}
