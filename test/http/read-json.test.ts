import { deflateRawSync, gzipSync } from "node:zlib";
import { MAX_TEXT_DEPTH } from "@postrider/core/engine";
import type { ReadJsonResult } from "@postrider/http";
import { decodeText, readJson } from "@postrider/http";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import "../property.js";

const LIMIT = 512_000;

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

function read(bytes: Uint8Array): Promise<ReadJsonResult> {
  return readJson({ kind: "read", bytes });
}

describe("decodeText", () => {
  it("reads UTF-8 without its byte order mark, and nothing else", () => {
    expect(decodeText(bytesOf("\uFEFFé☃"))).toBe("é☃");
    expect(decodeText(Buffer.from([0xff]))).toBeUndefined();
  });
});

describe("readJson", () => {
  it("reads what JSON.stringify wrote, zipped or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        const expected = { kind: "ok", value: JSON.parse(text) };
        expect(await read(bytesOf(text))).toEqual(expected);
        expect(await read(gzipSync(text))).toEqual(expected);
      }),
    );
  });

  it("answers whatever the bytes are", async () => {
    const head = fc.constantFrom([], [0x1f, 0x8b], [0x1f, 0x8b, 8, 0], [0xef, 0xbb, 0xbf]);
    await fc.assert(
      fc.asyncProperty(head, fc.uint8Array({ maxLength: 200 }), async (start, rest) => {
        const answer = await read(Uint8Array.from([...start, ...rest]));
        expect(["ok", "bad-json", "too-deep", "too-large"]).toContain(answer.kind === "ok" ? "ok" : answer.reason);
      }),
    );
  });

  it("drops a byte order mark", async () => {
    expect(await read(bytesOf("\uFEFF{}"))).toEqual({ kind: "ok", value: {} });
  });

  it.each([
    ["nothing", bytesOf("")],
    ["a word", bytesOf("hello")],
    ["a form", bytesOf("data=%7B%7D")],
    ["NaN", bytesOf('{"a":NaN}')],
    ["half an object", bytesOf('{"a":')],
    ["a broken byte", Buffer.from([0x22, 0xff, 0x22])],
    ["an overlong null", Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["UTF-16", Buffer.from("{}", "utf16le")],
    ["half a gzip", gzipSync('{"a":1}').subarray(0, 20)],
    ["the first bytes of a gzip", Buffer.from([0x1f, 0x8b])],
    ["a gzip in a gzip", gzipSync(gzipSync("{}"))],
    ["deflate", deflateRawSync("{}")],
  ])("refuses %s", async (_, bytes) => {
    expect(await read(bytes)).toEqual({ kind: "refused", reason: "bad-json" });
  });

  it("takes a gzip in several parts", async () => {
    const bytes = Buffer.concat([gzipSync('{"a"'), gzipSync(":1}")]);
    expect(await read(bytes)).toEqual({ kind: "ok", value: { a: 1 } });
  });

  it("unzips up to the bound and not one byte further", async () => {
    const atLimit = JSON.stringify("x".repeat(LIMIT - 2));
    expect((await read(gzipSync(atLimit))).kind).toBe("ok");
    expect(await read(gzipSync(` ${atLimit}`))).toEqual({ kind: "refused", reason: "too-large" });
  });

  it("does not unzip a bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await read(bomb)).toEqual({ kind: "refused", reason: "too-large" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it("parses nothing that nests too deep, zipped or not", async () => {
    const parse = vi.spyOn(JSON, "parse");
    for (const levels of [MAX_TEXT_DEPTH + 1, 255_000]) {
      const text = `{"batch":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
      for (const bytes of [bytesOf(text), gzipSync(text)])
        expect(await read(bytes)).toEqual({ kind: "refused", reason: "too-deep" });
    }
    const calls = parse.mock.calls.length;
    parse.mockRestore();
    expect(calls).toBe(0);
    expect((await read(bytesOf("[".repeat(MAX_TEXT_DEPTH) + "]".repeat(MAX_TEXT_DEPTH)))).kind).toBe("ok");
  });

  it("passes on that a body was too long to read", async () => {
    expect(await readJson({ kind: "too-large" })).toEqual({ kind: "refused", reason: "too-large" });
  });
});
