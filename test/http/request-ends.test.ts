// However a request ends, over real sockets, all that it reserved is released.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createNodeListener, type Handler, jsonAnswer, type NodeListener } from "@postrider/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const LIMIT_BYTES = 1_000;
const NOTHING = { requests: 0, reading: 0, bytes: 0, keylessBytes: 0 };

/** How a request may end: what its caller writes and does then, and what the path makes the server do. */
interface End {
  readonly path: string;
  /** The declared length; absent, the body comes in chunks. */
  readonly length?: number;
  readonly sent: number;
  readonly caller: "waits" | "resets" | "half-closes" | "stays";
}

const ENDS: Readonly<Record<string, End>> = {
  "is complete": { path: "/", length: 100, sent: 100, caller: "waits" },
  "is complete, in chunks": { path: "/", sent: 100, caller: "waits" },
  "has no body": { path: "/", length: 0, sent: 0, caller: "waits" },
  "is left by its caller": { path: "/", length: 100, sent: 90, caller: "resets" },
  "is half closed by its caller": { path: "/", length: 100, sent: 90, caller: "half-closes" },
  "is left while its answer is made": { path: "/slow", length: 100, sent: 100, caller: "resets" },
  "stays open until the server stops": { path: "/", length: 100, sent: 90, caller: "stays" },
  "is cut by the server's 408": { path: "/cut", length: 100, sent: 90, caller: "waits" },
  "is answered by the host, which keeps the connection": { path: "/host", length: 100, sent: 90, caller: "stays" },
  "loses its response": { path: "/destroyed", length: 100, sent: 90, caller: "waits" },
  "declares too much": { path: "/", length: LIMIT_BYTES + 1, sent: 10, caller: "waits" },
  "sends too much": { path: "/", sent: LIMIT_BYTES + 1, caller: "waits" },
  "exceeds the byte budget": { path: "/", length: LIMIT_BYTES, sent: LIMIT_BYTES, caller: "waits" },
  "meets a handler that throws": { path: "/throws", length: 100, sent: 100, caller: "waits" },
  "meets a handler that rejects": { path: "/rejects", length: 100, sent: 100, caller: "waits" },
  "is streamed to its end": { path: "/streamed", length: 5_000, sent: 5_000, caller: "waits" },
  "is streamed and left": { path: "/streamed", length: 5_000, sent: 50, caller: "resets" },
  "is streamed and cut": { path: "/streamed/cut", length: 5_000, sent: 50, caller: "waits" },
  "is streamed and loses its response": { path: "/streamed/destroyed", length: 5_000, sent: 50, caller: "waits" },
};

/** Lets the handlers that wait for it continue. */
const slow: (() => void)[] = [];
const letGo = (): void => {
  for (const resolve of slow.splice(0)) resolve();
};

const handler: Handler = async ({ path, body }) => {
  if (path === "/rejects") throw new Error("a bug");
  if (path === "/slow") await new Promise<void>((resolve) => slow.push(resolve));
  if (body.kind === "streamed") for await (const piece of body.chunks) expect(piece.length).toBeGreaterThan(0);
  return jsonAnswer(body.kind === "read" || body.kind === "streamed" ? 200 : 503, {});
};

const throwing: Handler = (request) => {
  if (request.path === "/throws") throw new Error("a bug");
  return handler(request);
};

function meddle(request: IncomingMessage, response: ServerResponse): void {
  const whenSome = (act: () => void): void => void request.once("data", () => setImmediate(act));
  const [url = ""] = (request.url ?? "").split("?");
  if (url.endsWith("/cut"))
    whenSome(() => response.writeHead(408, { Connection: "close" }).end(() => response.destroy()));
  if (url.endsWith("/host")) whenSome(() => response.writeHead(503).end());
  if (url.endsWith("/destroyed")) whenSome(() => response.destroy());
}

interface Under {
  readonly listener: NodeListener;
  readonly server: Server;
  readonly port: number;
  /** Resolves once a request with this query has arrived. */
  readonly arrived: (query: string) => Promise<void>;
}

async function serve(): Promise<Under> {
  const isStreamed = ({ path }: { readonly path: string }): boolean => path.startsWith("/streamed");
  const listener = createNodeListener(throwing, { limitBytes: LIMIT_BYTES, heldBytes: 1_500, isStreamed });
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    listener(request, response);
    meddle(request, response);
    waiting.get(request.url?.split("?")[1] ?? "")?.();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrived = (query: string): Promise<void> => new Promise((resolve) => void waiting.set(query, resolve));
  return { listener, server, port: (server.address() as AddressInfo).port, arrived };
}

function textOf({ path, length, sent }: End, query = ""): string {
  const body = "x".repeat(sent);
  const head = `POST ${path}?${query} HTTP/1.1\r\nHost: a\r\n`;
  return length === undefined
    ? `${head}Transfer-Encoding: chunked\r\n\r\n${sent.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    : `${head}Content-Length: ${String(length)}\r\n\r\n${body}`;
}

/** Resolves once the caller has done its part: was answered, was cut off, or left when its request had arrived. */
async function call({ port, arrived }: Under, end: End, index = 0): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const hasArrived = arrived(String(index));
  socket.write(textOf(end, String(index)));
  await hasArrived;
  if (end.caller === "resets") socket.resetAndDestroy();
  if (end.caller === "half-closes") socket.end();
  if (end.caller === "waits") await Promise.race([once(socket, "data"), once(socket, "close")]);
  return socket;
}

async function expectNothingHeld({ listener }: Under): Promise<void> {
  const held = (): unknown => {
    letGo();
    return listener.held();
  };
  await expect.poll(held).toEqual(NOTHING);
}

async function stop({ server }: Under): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

describe("the reservation of a request is released", () => {
  it.each(Object.entries(ENDS))("when it %s", async (_, end) => {
    const under = await serve();
    const socket = await call(under, end);
    if (end.caller !== "stays" || end.path !== "/") await expectNothingHeld(under);
    else expect(under.listener.held()).toMatchObject({ requests: 1, reading: 1 });
    await stop(under);
    await expectNothingHeld(under);
    socket.destroy();
  });

  it("however many of them end at once, in whatever ways, and whatever is left when the server stops", async () => {
    const some = fc.array(fc.constantFrom(...Object.values(ENDS)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(some, async (ends) => {
        const under = await serve();
        const sockets = await Promise.all(ends.map((end, index) => call(under, end, index)));
        await stop(under);
        await expectNothingHeld(under);
        for (const socket of sockets) socket.destroy();
      }),
      { numRuns: 25 },
    );
  });

  it("when it is in a pipeline whose caller leaves before it is answered", async () => {
    const under = await serve();
    const socket = connect(under.port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => undefined);
    socket.write(textOf(ENDS["is left while its answer is made"]!).repeat(2) + textOf(ENDS["is left by its caller"]!));
    await expect.poll(() => under.listener.held()).toEqual({ requests: 3, reading: 1, bytes: 290, keylessBytes: 0 });
    socket.resetAndDestroy();
    await expectNothingHeld(under);
    await stop(under);
  });
});

describe("a request that a host passes on late", () => {
  it("is dropped if its caller has left the pipeline that it was in", async () => {
    const seen: string[] = [];
    const listener = createNodeListener(({ path }) => {
      seen.push(path);
      return Promise.resolve(jsonAnswer(200, {}));
    });
    const waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
    const server = createServer((...exchange) => void waiting.push(exchange));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => undefined);
    const last = ENDS["is left by its caller"]!;
    socket.write(textOf({ path: "/", length: 0, sent: 0, caller: "waits" }) + textOf(last));
    await expect.poll(() => waiting).toHaveLength(2);
    const [request, response] = waiting[1]!;
    const left = new Promise((resolve) => void request.on("close", resolve));
    socket.resetAndDestroy();
    await left;
    listener(request, response);
    await new Promise((resolve) => setImmediate(resolve));
    expect([listener.held(), seen]).toEqual([NOTHING, []]);
    server.close();
  });
});

describe("held()", () => {
  it("counts requests while they are read and while they wait for their answer", async () => {
    const under = await serve();
    await call(under, ENDS["stays open until the server stops"]!);
    await call(under, ENDS["stays open until the server stops"]!);
    await expect.poll(() => under.listener.held()).toEqual({ requests: 2, reading: 2, bytes: 180, keylessBytes: 0 });
    await stop(under);
  });
});
