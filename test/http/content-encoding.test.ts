import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createWebHandler, type Handler, type RequestBody } from "@postrider/http";
import { describe, expect, it } from "vitest";
import { isReadEncoding } from "../../packages/http/src/content-encoding.js";
import { basic } from "../ingest/requests.js";
import { createWorld } from "../ingest/world.js";
import { receive, serving } from "./serving.js";

const TRACK = JSON.stringify({ userId: "u1", event: "Signed Up", messageId: "m1" });

describe("isReadEncoding", () => {
  it.each([undefined, "", "gzip", "GZIP", "x-gzip", "identity", " identity , gzip ", "utf-8", "application/json"])(
    "has nothing against %j",
    (header) => {
      expect(isReadEncoding(header)).toBe(true);
    },
  );

  it.each(["deflate", "Deflate", "br", "zstd", "compress", "gzip, br", "deflate,gzip", "gzip, gzip", "x-gzip,gzip"])(
    "refuses %j",
    (header) => {
      expect(isReadEncoding(header)).toBe(false);
    },
  );
});

describe("a body in an encoding that is not read", () => {
  const bodies = [
    ["deflate", deflateSync(TRACK)],
    ["br", brotliCompressSync(TRACK)],
    ["gzip, gzip", gzipSync(gzipSync(TRACK))],
  ] as const;

  it.each(bodies)("is answered 415 with the one to use: %s", async (encoding, body) => {
    await serving(createWorld().ingest, async ({ url }) => {
      const headers = { ...basic(), "content-encoding": encoding };
      const response = await fetch(`${url}/v1/track`, { method: "POST", body: new Uint8Array(body), headers });
      expect(response.status).toBe(415);
      expect(response.headers.get("accept-encoding")).toBe("gzip");
      expect(await response.json()).toMatchObject({ success: false, code: "unsupported-encoding" });
    });
  });

  it("is answered before any of it has come", async () => {
    await serving(createWorld().ingest, async ({ connect }) => {
      const socket = await connect();
      const { authorization } = basic();
      socket.write(
        `POST /v1/track HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Encoding: br\r\nContent-Length: 100\r\n\r\n`,
      );
      expect(await receive(socket, "unsupported-encoding")).toMatch(/^HTTP\/1.1 415 /);
    });
  });

  it("is not read by a Web handler either", async () => {
    const bodies: RequestBody[] = [];
    const handler: Handler = ({ body }) => {
      bodies.push(body);
      return Promise.resolve({ status: 200, headers: [], body: "" });
    };
    const init = { method: "POST", body: "{}", headers: { "content-encoding": "zstd" } };
    await createWebHandler(handler)(new Request("https://calls.example.com/v1/track", init));
    expect(bodies).toEqual([{ kind: "unread-encoding" }]);
  });
});
