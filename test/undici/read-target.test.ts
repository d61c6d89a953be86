import { describe, expect, it } from "vitest";
import { MAX_CACHED_TARGETS } from "../../packages/undici/src/limits.js";
import { createReadTarget } from "../../packages/undici/src/request.js";

describe("reading where a URL leads", () => {
  it.each([
    ["http://receiver.example", "http://receiver.example", "/"],
    ["https://receiver.example:443/hook", "https://receiver.example", "/hook"],
    ["https://receiver.example:8443/a/../b?x=1&y=%20#z", "https://receiver.example:8443", "/b?x=1&y=%20"],
    ["http://receiver.example/it's?q='a'&b=%27#'", "http://receiver.example", "/it's?q='a'&b=%27"],
    ["http://[::1]:81/?", "http://[::1]:81", "/?"],
    ["http://receiver.example?", "http://receiver.example", "/?"],
    ["http://receiver.example/hook?#part?", "http://receiver.example", "/hook?"],
    ["http://receiver.example/hook#part?", "http://receiver.example", "/hook"],
    ["http://receiver.example/hook#", "http://receiver.example", "/hook"],
  ])("%s", (url, origin, path) => {
    const read = createReadTarget();
    const { host } = new URL(origin);
    const start = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
    for (const target of [read(url), read(url)]) expect(target).toMatchObject({ origin, start });
  });

  it.each([
    ["http://receiver.example/", { protocol: "http:", hostname: "receiver.example", port: "" }],
    ["https://[::1]:8443/hook", { protocol: "https:", hostname: "::1", port: "8443" }],
  ])("dials for %s what it says", (url, connect) => {
    expect(createReadTarget()(url)?.connect).toEqual(connect);
  });

  it("writes nothing into the first line that ends it, whatever the URL", () => {
    const { start } = createReadTarget()("http://receiver.example/a b\r\n\u0000\u20ac?c d\r\ne\u007f")!;
    expect(start.split("\r\n").length).toBe(4);
    expect(start).toMatch(/^POST [\u0021-\u007e]+ HTTP\/1\.1\r\n/);
  });

  it("returns undefined for a text that is no URL of HTTP, also the second time", () => {
    const read = createReadTarget();
    for (const url of ["", "receiver.example", "ftp://receiver.example/", "data:,x", ""])
      expect(read(url)).toBeUndefined();
  });

  it("parses a URL once, and keeps a bounded number of them", () => {
    const read = createReadTarget();
    const known = read("http://known.example/");
    expect(read("http://known.example/")).toBe(known);
    for (let index = 1; index < MAX_CACHED_TARGETS; index += 1) read(`http://r.example/${String(index)}`);
    expect(read("http://known.example/")).toBe(known);
    expect(read("http://one-more.example/")?.origin).toBe("http://one-more.example");
    expect(read("http://known.example/")).not.toBe(known);
    expect(read("http://known.example/")).toEqual(known);
  });
});
