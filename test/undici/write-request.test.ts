import type { EndpointId, Header, HttpRequest } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_KEPT_HEADER_LINES, MAX_KNOWN_HEADER_NAMES } from "../../packages/undici/src/limits.js";
import { createReadTarget, createWritePost } from "../../packages/undici/src/request.js";

const URL = "http://receiver.example:81/hook?x=1";
const target = createReadTarget()(URL)!;

function write(headers: readonly Header[], body = "{}", writePost = createWritePost()): string | undefined {
  const request: HttpRequest = { url: URL as EndpointId, headers, body: new TextEncoder().encode(body), timeoutMs: 1 };
  const bytes = writePost(request, target);
  return bytes && Buffer.from(bytes).toString("latin1");
}

describe("the bytes of a request", () => {
  it("are its head and its body, with the headers in their order and case", () => {
    const headers: readonly Header[] = [
      ["User-Agent", "Postrider/1.0"],
      ["x-Odd-CASE", 'a,b; c="d"\te'],
      ["X-Latin", "caf\u00e9 \u00ff"],
      ["X-Empty", ""],
      ["x-odd-case", "again"],
    ];
    expect(write(headers, "body")).toBe(
      [
        "POST /hook?x=1 HTTP/1.1",
        "Host: receiver.example:81",
        "Connection: keep-alive",
        ...headers.map(([name, value]) => `${name}: ${value}`),
        "Content-Length: 4",
        "",
        "body",
      ].join("\r\n"),
    );
  });

  it("say that an empty body is empty", () => {
    expect(write([], "")).toMatch(/\r\nContent-Length: 0\r\n\r\n$/);
  });

  it.each([
    ["X-Line", "a\r\nX-Other: b"],
    ["X-Line", "a\n"],
    ["X-Nul", "a\u0000"],
    ["X-Delete", "\u007f"],
    ["X-Wide", "\u0100"],
    ["X Space", "a"],
    ["X-Line\r\n", "a"],
    ["X:", "a"],
    ["X-\u00e9", "a"],
    ["", "a"],
  ])("are none for a header that HTTP cannot carry: %j: %j", (name, value) => {
    expect(write([[name, value]])).toBeUndefined();
  });

  it.each(["Host", "content-length", "Transfer-Encoding", "CONNECTION", "Keep-Alive", "Upgrade", "Expect"])(
    "are none if a header frames the request: %s",
    (name) => {
      expect(
        write([
          ["X-One", "1"],
          [name, "1"],
        ]),
      ).toBeUndefined();
    },
  );

  it("do not depend on the requests that were written before", () => {
    const name = fc.constantFrom("X-A", "x-a", "X-B", "X Bad", "Host");
    const headers = fc.array(fc.tuple(name, fc.constantFrom("", "1", "1 ", "2", "a\r\nb")), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(headers, { maxLength: 8 }), (requests) => {
        const writePost = createWritePost();
        for (const one of requests) expect(write(one, "{}", writePost)).toBe(write(one));
      }),
    );
  });

  it("are right for more headers than are kept, each time", () => {
    const writePost = createWritePost();
    for (const value of ["1", "1", "2"]) {
      const headers = Array.from({ length: 2 * MAX_KEPT_HEADER_LINES }, (_, at): Header => [`X-${String(at)}`, value]);
      expect(write(headers, "{}", writePost)).toContain(headers.map((header) => header.join(": ")).join("\r\n"));
    }
  });

  it("are right for any number of names, each time", () => {
    const writeRequest = createWritePost();
    const names = Array.from({ length: 3 * MAX_KNOWN_HEADER_NAMES }, (_, index) => `X-${String(index)}`);
    for (const name of ["X Bad", ...names, "X Bad", "Host", ...names]) {
      const request = { url: URL as EndpointId, headers: [[name, "1"]] as const, body: new Uint8Array(), timeoutMs: 1 };
      expect(writeRequest(request, target) !== undefined).toBe(name.startsWith("X-"));
    }
  });
});
