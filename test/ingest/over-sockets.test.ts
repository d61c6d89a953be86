// Ingest over real sockets: requests as proxies, libraries and attackers send them.

import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { receive, serving, type Serving } from "../http/serving.js";
import { basic } from "./requests.js";
import { createWorld, type World } from "./world.js";

const CALL = JSON.stringify({ userId: "u1", event: "Signed Up", messageId: "m1", writeKey: WRITE_KEY });

async function open(use: (serving: Serving, world: World) => Promise<void>): Promise<void> {
  const world = createWorld();
  await serving(world.ingest, (served) => use(served, world));
}

async function accepted(world: World): Promise<number> {
  return (await world.relay.stats())._unsafeUnwrap().accepted;
}

/** Writes a request as it is and answers all that comes back. */
async function exchange(served: Serving, text: string | Buffer): Promise<string> {
  const socket = await served.connect();
  socket.write(text);
  return receive(socket);
}

describe("ingest over sockets", () => {
  it("takes what a browser sends: no preflight, text/plain, a key in the body", async () => {
    await open(async ({ url }, world) => {
      const headers = { "Content-Type": "text/plain;charset=UTF-8", Origin: "https://shop.example.com" };
      const response = await fetch(`${url}/v1/t`, { method: "POST", body: CALL, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe(headers.Origin);
      expect(await accepted(world)).toBe(1);
    });
  });

  it("takes gzip in chunks with a trailer, and under a wrong name", async () => {
    await open(async (served, world) => {
      const zipped = gzipSync(CALL);
      const head =
        "POST /v1/t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Encoding: zip\r\nConnection: close\r\n\r\n";
      const chunk = Buffer.concat([Buffer.from(`${zipped.length.toString(16)}\r\n`), zipped, Buffer.from("\r\n")]);
      const text = Buffer.concat([Buffer.from(head), chunk, Buffer.from("0\r\nX-Trailer: 1\r\n\r\n")]);
      expect(await exchange(served, text)).toMatch(/^HTTP\/1.1 200 /);
      expect(await accepted(world)).toBe(1);
    });
  });

  it("takes a body that waits for permission to be sent", async () => {
    await open(async (served, world) => {
      const socket = await served.connect();
      socket.write(
        `POST /v1/t HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${String(CALL.length)}\r\nConnection: close\r\n\r\n`,
      );
      await receive(socket, "100 Continue\r\n\r\n");
      socket.write(CALL);
      expect(await receive(socket)).toMatch(/HTTP\/1.1 200 /);
      expect(await accepted(world)).toBe(1);
    });
  });

  it("stores nothing of an upload that breaks off, with complete calls or without", async () => {
    await open(async (served, world) => {
      for (const part of [CALL.slice(0, 20), CALL]) {
        const socket = await served.connect();
        const left = once(served.server, "request").then(([, response]) => once(response, "close"));
        socket.write(`POST /v1/t HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(CALL.length + 1)}\r\n\r\n${part}`);
        setTimeout(() => socket.destroy(), 20);
        await left;
      }
      expect(await accepted(world)).toBe(0);
    });
  });

  it("refuses a body with two lengths, or with a length and chunks", async () => {
    await open(async (served, world) => {
      const twice = "POST /v1/t HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}";
      const both = "POST /v1/t HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
      for (const text of [twice, both]) expect(await exchange(served, text)).toMatch(/^HTTP\/1.1 400 /);
      expect(await accepted(world)).toBe(0);
    });
  });

  it("answers in JSON that a batch is too long, as sent or unzipped", async () => {
    await open(async ({ url }) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
      for (const body of [Buffer.alloc(600_000, 0x20), bomb]) {
        const response = await fetch(`${url}/v1/batch`, { method: "POST", body, headers: basic() });
        expect(response.status).toBe(413);
        expect(await response.json()).toMatchObject({ success: false, error: { code: "batch-too-large" } });
      }
    });
  });

  it("answers 500 wrong keys, and then a right one", async () => {
    await open(async ({ url }) => {
      const ask = async (key: string): Promise<number> => {
        const response = await fetch(`${url}/v1/t`, { method: "POST", body: CALL, headers: basic(key) });
        await response.body?.cancel();
        return response.status;
      };
      for (let round = 0; round < 5; round += 1) {
        const keys = Array.from({ length: 100 }, (_, index) => `wrong-${String(round * 100 + index)}`);
        expect(new Set(await Promise.all(keys.map(ask)))).toEqual(new Set([401]));
      }
      expect(await ask(WRITE_KEY)).toBe(200);
    });
  });
});
