import { describe, expect, it } from "vitest";
import { MAX_HEAD_BYTES } from "../../packages/undici/src/limits.js";
import { readPlainAnswer } from "../../packages/undici/src/answer.js";

const LENGTH_2 = "Content-Length: 2";

function read(status: string, fields: readonly string[], body = ""): ReturnType<typeof readPlainAnswer> {
  return readPlainAnswer(Buffer.from(`${[status, ...fields].join("\r\n")}\r\n\r\n${body}`, "latin1"));
}

describe("an answer that is read in place", () => {
  it("has its status, where its body begins, its first Retry-After, and the usual time to be idle", () => {
    const text = "HTTP/1.1 503 Try Later\r\nRetry-After: 7\r\ncontent-length:3\r\nretry-after: 8\r\n\r\nno!";
    const answer = readPlainAnswer(Buffer.from(text));
    expect(answer).toEqual({ status: 503, retryAfter: "7", bodyAt: text.length - 3, keepAliveMs: 4_000 });
  });

  it.each([
    ["HTTP/1.1 200 OK", ["Content-Length: 0"], ""],
    ["HTTP/1.1 200", ["Content-Length: 0"], ""],
    ["HTTP/1.1 200 ", ["Content-Length: 0"], ""],
    ["HTTP/1.1 599 a\tb", [LENGTH_2], "ok"],
    ["HTTP/1.1 204 No Content", [], ""],
    ["HTTP/1.1 204 No Content", ["Content-Length: 0"], ""],
    ["HTTP/1.1 304 X", [], ""],
    ["HTTP/1.1 200 OK", ["X-One:\t one two", LENGTH_2, "Connection: Keep-Alive"], "\r\n"],
    ["HTTP/1.1 200 OK", ["Content-Length: 002"], "\u0000\u00ff"],
  ])("may be %j with %j and %j", (status, fields, body) => {
    expect(read(status, fields, body)).toMatchObject({ status: Number(status.slice(9, 12)) });
  });

  it.each([
    ["timeout=5", 3_000],
    ["max=7, timeout=30", 28_000],
    ["timeout=2", 0],
    ["timeout=1", -1_000],
    ["timeout=9999999999999999999999", 60_000],
    ["max=7", 4_000],
    ["Timeout=9", 4_000],
  ])("with Keep-Alive: %s has %i ms to be idle", (value, keepAliveMs) => {
    expect(read("HTTP/1.1 204 X", [`Keep-Alive: ${value}`])).toMatchObject({ keepAliveMs });
  });

  it("has a head up to the limit, and none beyond", () => {
    const room = MAX_HEAD_BYTES - "HTTP/1.1 204 X\r\nX: \r\n\r\n".length;
    expect(read("HTTP/1.1 204 X", [`X: ${"x".repeat(room)}`])).toBeDefined();
    expect(read("HTTP/1.1 204 X", [`X: ${"x".repeat(room + 1)}`])).toBeUndefined();
  });
});

describe("an answer is left to the strict parser", () => {
  it.each([
    ["HTTP/1.0 200 OK", [LENGTH_2]],
    ["http/1.1 200 OK", [LENGTH_2]],
    ["HTTP/1.1  200 OK", [LENGTH_2]],
    ["HTTP/1.1 199 OK", [LENGTH_2]],
    ["HTTP/1.1 600 OK", [LENGTH_2]],
    ["HTTP/1.1 2000 OK", [LENGTH_2]],
    ["HTTP/1.1 200\tOK", [LENGTH_2]],
    ["HTTP/1.1 200 caf\u00e9", [LENGTH_2]],
    ["HTTP/1.1 200 a\rb", [LENGTH_2]],
    ["HTTP/1.1 200 OK\n", [LENGTH_2]],
  ])("with the status line %j", (status, fields) => {
    expect(read(status, fields, "ok")).toBeUndefined();
  });

  it.each([
    ["no length", []],
    ["two lengths", [LENGTH_2, LENGTH_2]],
    ["a length with a sign", ["Content-Length: +2"]],
    ["a list of lengths", ["Content-Length: 2, 2"]],
    ["a length of ten digits", ["Content-Length: 0000000002"]],
    ["a length that is too short", ["Content-Length: 1"]],
    ["a length that is too long", ["Content-Length: 3"]],
    ["an encoding", [LENGTH_2, "transfer-encoding: identity"]],
    ["an upgrade", [LENGTH_2, "Upgrade: h2c"]],
    ["trailers to come", [LENGTH_2, "Trailer: X"]],
    ["a proxy's connection", [LENGTH_2, "Proxy-Connection: keep-alive"]],
    ["a connection that closes", [LENGTH_2, "Connection: close"]],
    ["two connections", [LENGTH_2, "Connection: keep-alive", "Connection: keep-alive"]],
    ["two offers to keep it", [LENGTH_2, "Keep-Alive: timeout=9", "Keep-Alive: timeout=9"]],
    ["an empty value", [LENGTH_2, "X-Empty:"]],
    ["a value of blanks", [LENGTH_2, "X-Empty: \t"]],
    ["a blank behind a value", [LENGTH_2, "X-One: 1 "]],
    ["a blank before the colon", [LENGTH_2, "X-One : 1"]],
    ["no name", [LENGTH_2, ": 1"]],
    ["no colon", [LENGTH_2, "X-One"]],
    ["a folded line", [LENGTH_2, "X-One: 1\r\n 2"]],
    ["a bare LF", [LENGTH_2, "X-One: 1\nX-Two: 2"]],
    ["a bare CR", [LENGTH_2, "X-One: 1\rX-Two: 2"]],
    ["a control character", [LENGTH_2, "X-One: \u0001"]],
    ["an octet beyond ASCII", [LENGTH_2, "X-One: \u00e9"]],
  ])("with %s", (_, fields) => {
    expect(read("HTTP/1.1 200 OK", fields, "ok")).toBeUndefined();
  });

  it("with a length where no body may be", () => {
    expect(read("HTTP/1.1 204 X", [LENGTH_2])).toBeUndefined();
    expect(read("HTTP/1.1 304 X", [LENGTH_2], "ok")).toBeUndefined();
    expect(read("HTTP/1.1 204 X", [], "ok")).toBeUndefined();
  });

  it("if it is cut short anywhere, or one octet follows it", () => {
    const whole = Buffer.from("HTTP/1.1 404 Not Found\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nno");
    expect(readPlainAnswer(whole)).toBeDefined();
    for (let end = 0; end < whole.length; end += 1) expect(readPlainAnswer(whole.subarray(0, end))).toBeUndefined();
    expect(readPlainAnswer(Buffer.concat([whole, Buffer.from("\n")]))).toBeUndefined();
  });
});
