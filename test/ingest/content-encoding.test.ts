// The encodings in which a body is refused, over real sockets.

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { receive, serving } from "../http/serving.js";
import { basic } from "./requests.js";
import { createWorld } from "./world.js";

const TRACK = JSON.stringify({ userId: "u1", event: "Signed Up", messageId: "m1" });

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

  it("is answered before any of it has arrived", async () => {
    await serving(createWorld().ingest, async ({ connect }) => {
      const socket = await connect();
      const { authorization } = basic();
      socket.write(
        `POST /v1/track HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Encoding: br\r\nContent-Length: 100\r\n\r\n`,
      );
      expect(await receive(socket, "unsupported-encoding")).toMatch(/^HTTP\/1.1 415 /);
    });
  });
});
