// The client in pages that others build: with each bundler it becomes one small script, which runs where there is nothing but
// what a browser has, and makes its call.

import { createServer } from "node:http";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { createMemoryCallStorage } from "@postrider/memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { close, listen } from "../loopback.js";
import { read } from "../house/packages.js";
import { BUNDLER_NAMES, bundlePage } from "../programs/bundlers/bundle.js";
import { LIBRARY } from "../../packages/client/src/library.js";

/** The most that a page may load for each entry: bytes, gzipped. */
const MOST_BYTES = { client: 10_000, durable: 12_500 } as const;

/** What the code of a page finds, of all that this runtime has. */
const WEB =
  "AbortController Blob CompressionStream Response TextDecoder TextEncoder URL btoa clearTimeout crypto fetch performance setTimeout".split(
    " ",
  );

interface MadePage {
  readonly makeCall: (endpoint: string, storage: object) => Promise<object>;
}

/** Runs the script of a page. */
function open(code: string): MadePage {
  const globals = WEB.map((name) => [name, (globalThis as Readonly<Record<string, unknown>>)[name]]);
  const page = createContext(Object.fromEntries(globals));
  runInContext(code, page);
  return page as unknown as MadePage;
}

/** A server that takes every batch, and what it has got. */
async function startServer(): Promise<{ readonly url: string; readonly got: readonly string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (piece: string) => got.push(piece));
    request.on("end", () => response.end("{}"));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, got };
}

describe.each(BUNDLER_NAMES)("a page built with %s", (bundler) => {
  it.each(["client", "durable"] as const)("has the %s within its size, and makes a call", async (page) => {
    const code = await bundlePage(bundler, page);
    const size = gzipSync(code, { level: 9 }).length;
    console.log(`${page}, ${bundler}: ${String(code.length)} bytes, ${String(size)} gzipped`);
    expect(size).toBeLessThan(MOST_BYTES[page]);
    const { url, got } = await startServer();
    const flushed = await open(code).makeCall(url, createMemoryCallStorage());
    expect(flushed).toMatchObject({ delivered: 1, failed: 0, pending: 0 });
    expect(got.join("")).toContain('"event":"Bundled"');
  });
});

it("names its own version in each call", () => {
  const { name, version } = JSON.parse(read("packages/client/package.json")) as { name: string; version: string };
  expect(LIBRARY).toEqual({ name, version });
});
