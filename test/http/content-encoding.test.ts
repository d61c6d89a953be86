import {
  createWebHandler,
  unsupportedEncodingAnswer,
  type Handler,
  jsonAnswer,
  type RequestBody,
} from "@postrider/http";
import { describe, expect, it } from "vitest";
import { isSupportedEncoding } from "../../packages/http/src/answers.js";
import { receive, serving } from "./serving.js";

const answering: Handler = ({ body }) =>
  Promise.resolve(body.kind === "unread-encoding" ? unsupportedEncodingAnswer() : jsonAnswer(200, {}));

describe("isSupportedEncoding", () => {
  it.each([undefined, "", "gzip", "GZIP", "x-gzip", "identity", " identity , gzip ", "utf-8", "application/json"])(
    "has nothing against %j",
    (header) => {
      expect(isSupportedEncoding(header)).toBe(true);
    },
  );

  it.each(["deflate", "Deflate", "br", "zstd", "compress", "gzip, br", "deflate,gzip", "gzip, gzip", "x-gzip,gzip"])(
    "refuses %j",
    (header) => {
      expect(isSupportedEncoding(header)).toBe(false);
    },
  );
});

describe("a body in an encoding that is not read", () => {
  it("is reported to the handler before any of it has arrived", async () => {
    await serving(answering, async ({ connect }) => {
      const socket = await connect();
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\nContent-Length: 100\r\n\r\n");
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
