// Bodies that are handed over while they arrive: of any length, with backpressure.

import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  type Answer,
  createNodeListener,
  createWebHandler,
  type Handler,
  type IncomingRequest,
  jsonAnswer,
  readJson,
  type RequestBody,
} from "@postrider/http";
import { describe, expect, it } from "vitest";
import { close, listen } from "../loopback.js";
import { receive, serving, type Serving } from "./serving.js";

const OPTIONS = {
  isStreamed: ({ method, path }: { method: string; path: string }) => method === "PUT" || path === "/s",
};
const MEGABYTE = 1_048_576;

function chunksOf(body: RequestBody): AsyncIterable<Uint8Array> {
  if (body.kind !== "streamed") throw new Error(`the body is ${body.kind}`);
  return body.chunks;
}

async function takeAll(body: RequestBody): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunksOf(body)) bytes += chunk.length;
  return bytes;
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Reads the body and answers its length in bytes; with a limit, reads only up to that limit and answers 400. */
function counting(atMost = Infinity): { readonly handler: Handler; readonly seen: () => number } {
  let bytes = 0;
  return {
    seen: () => bytes,
    handler: async ({ body }): Promise<Answer> => {
      for await (const chunk of chunksOf(body)) {
        bytes += chunk.length;
        if (bytes > atMost) return jsonAnswer(400, { bytes });
      }
      return jsonAnswer(200, { bytes });
    },
  };
}

describe("a body that is streamed", () => {
  it("has no bound, and uses no byte budget", async () => {
    const { handler } = counting();
    const use = async ({ url }: Serving): Promise<void> => {
      const put = { method: "PUT", body: new Uint8Array(5 * MEGABYTE) };
      expect(await (await fetch(url, put)).json()).toEqual({ bytes: 5 * MEGABYTE });
    };
    await serving(handler, use, { ...OPTIONS, limitBytes: 1_000, heldBytes: 1_000 });
  });

  it("is only that of the requests selected by `isStreamed`", async () => {
    const kinds: string[] = [];
    const handler: Handler = async ({ path, body }) => {
      kinds.push(`${path} ${body.kind}`);
      if (body.kind === "streamed") await takeAll(body);
      return jsonAnswer(200, {});
    };
    const use = async ({ url }: Serving): Promise<void> => {
      for (const path of ["/s", "/t"]) await fetch(`${url}${path}`, { method: "POST", body: "x" });
    };
    await serving(handler, use, OPTIONS);
    expect(kinds).toEqual(["/s streamed", "/t read"]);
  });

  it("arrives no faster than it is read", async () => {
    const taken = deferred<boolean>();
    const handler: Handler = async ({ body }) => {
      await taken.promise;
      await takeAll(body);
      return jsonAnswer(200, {});
    };
    const use = async ({ connect }: Serving): Promise<void> => {
      const socket = await connect();
      socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(64 * MEGABYTE)}\r\n\r\n`);
      const piece = new Uint8Array(MEGABYTE);
      for (let written = 1; written < 64; written += 1) socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(socket.writableLength).toBeGreaterThan(32 * MEGABYTE);
      taken.resolve(true);
      socket.write(piece);
      expect(await receive(socket, "{}")).toMatch(/^HTTP\/1.1 200 /);
    };
    await serving(handler, use, OPTIONS);
  });

  it("is handed over whole if a parser before the listener has read its bytes", async () => {
    const requests: IncomingRequest[] = [];
    const handler: Handler = (request) => {
      requests.push(request);
      return Promise.resolve(jsonAnswer(200, {}));
    };
    const listener = createNodeListener(handler, OPTIONS);
    const server = createServer((request, response) => {
      const passOn = (rawBody: Buffer): void => listener(Object.assign(request, { rawBody }), response);
      void buffer(request).then(passOn);
    });
    const url = `http://127.0.0.1:${String(await listen(server))}`;
    expect((await fetch(url, { method: "PUT", body: "héllo" })).status).toBe(200);
    expect(requests.map(({ body }) => body)).toEqual([{ kind: "read", bytes: Buffer.from("héllo") }]);
    await close(server);
  });

  it("is not handed over in an encoding that is not supported", async () => {
    const bodies: RequestBody[] = [];
    const handler: Handler = ({ body }) => {
      bodies.push(body);
      return Promise.resolve(jsonAnswer(415, {}));
    };
    const use = async ({ url }: Serving): Promise<void> => {
      await fetch(url, { method: "PUT", body: "x", headers: { "content-encoding": "br" } });
    };
    await serving(handler, use, OPTIONS);
    expect(bodies).toEqual([{ kind: "unread-encoding" }]);
  });

  it("counts as being read until all of it has arrived", async () => {
    const end = deferred<Answer>();
    const handler: Handler = async ({ body }) => {
      await takeAll(body);
      return end.promise;
    };
    const use = async ({ connect, listener }: Serving): Promise<void> => {
      const socket = await connect();
      socket.write("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx");
      await expect.poll(() => listener.held()).toMatchObject({ requests: 1, reading: 1 });
      socket.write("x");
      await expect.poll(() => listener.held()).toMatchObject({ requests: 1, reading: 0 });
      end.resolve(jsonAnswer(200, {}));
      expect(await receive(socket, "{}")).toMatch(/^HTTP\/1.1 200 /);
    };
    await serving(handler, use, OPTIONS);
  });

  it("can be answered before it was read to its end; the connection is closed then", async () => {
    const { handler, seen } = counting(100_000);
    const use = async ({ connect }: Serving): Promise<void> => {
      const socket = await connect();
      socket.write("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      const timer = setInterval(() => socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`), 2);
      const answer = await receive(socket);
      clearInterval(timer);
      expect(answer).toMatch(/^HTTP\/1.1 400 [^]*Connection: close\r\n[^]*\{"bytes":\d+\}$/);
    };
    await serving(handler, use, OPTIONS);
    expect(seen()).toBeLessThan(1_000_000);
  });

  it("throws to its reader if its caller leaves", async () => {
    const thrown = deferred<unknown>();
    const handler: Handler = async ({ body }) => {
      try {
        await takeAll(body);
        thrown.resolve("nothing");
      } catch (error) {
        thrown.resolve(error);
      }
      return jsonAnswer(200, {});
    };
    const use = async ({ connect, server }: Serving): Promise<void> => {
      const socket = await connect();
      const asked = once(server, "request");
      socket.write("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nxxx");
      await asked;
      socket.destroy();
      expect(await thrown.promise).toBeInstanceOf(Error);
    };
    await serving(handler, use, OPTIONS);
  });

  it("sets no time limit for the answer once it has arrived completely", async () => {
    const handler: Handler = async ({ body }) => {
      await takeAll(body);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return jsonAnswer(200, {});
    };
    const use = async ({ url, server }: Serving): Promise<void> => {
      server.timeout = 1_000;
      expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(200);
    };
    await serving(handler, use, OPTIONS);
  });

  it("can be read completely as JSON, up to the usual bound", async () => {
    const streamed = (...texts: readonly string[]): RequestBody => ({
      kind: "streamed",
      chunks: (async function* () {
        for (const text of texts) yield Buffer.from(text);
      })(),
    });
    expect(await readJson(streamed('{"a"', ":1}"))).toEqual({ kind: "ok", value: { a: 1 } });
    expect(await readJson(streamed("x".repeat(400_000), "x".repeat(400_000)))).toEqual({
      kind: "refused",
      reason: "too-large",
    });
  });

  it("is handed over by a Web handler too", async () => {
    const { handler } = counting();
    const requests: IncomingRequest[] = [];
    const web = createWebHandler((request) => {
      requests.push(request);
      return request.body.kind === "streamed" ? handler(request) : Promise.resolve(jsonAnswer(200, {}));
    }, OPTIONS);
    const put = new Request("https://a.example/", { method: "PUT", body: "x".repeat(600_000) });
    expect(await (await web(put)).json()).toEqual({ bytes: 600_000 });
    await web(new Request("https://a.example/", { method: "PUT" }));
    expect(requests.map(({ body }) => body.kind)).toEqual(["streamed", "read"]);
  });
});
