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

/** The most that a page may load for each entry, gzipped: 10 and 12.5 KiB, and 3 KiB more with the storage of the browser. */
const MOST_BYTES = { client: 10_240, durable: 12_800, indexeddb: 15_872 } as const;

/** What the code of a page finds, of all that this runtime has. */
const WEB =
  "AbortController Blob CompressionStream Response TextDecoder TextEncoder URL btoa clearTimeout crypto fetch performance setTimeout".split(
    " ",
  );

/** Those that no runtime lacks in which a page can do anything. */
const NEEDED = new Set(["URL", "clearTimeout", "fetch", "performance", "setTimeout"]);

interface MadePage {
  readonly makeCall: (endpoint: string, storage: object, options?: object) => Promise<object>;
}

/** Runs the script of a page, in an engine that is not the newest. */
function open(code: string, others: object = {}): MadePage {
  const globals = WEB.map((name) => [name, (globalThis as Readonly<Record<string, unknown>>)[name]]);
  const page = createContext({ ...Object.fromEntries(globals), ...others });
  runInContext(
    "for (const name of ['at', 'toReversed', 'toSorted', 'toSpliced', 'with']) delete Array.prototype[name]",
    page,
  );
  runInContext(code, page);
  return page as unknown as MadePage;
}

/** A server that answers every batch so, and what it has got. */
async function startServer(answer = "{}"): Promise<{ readonly url: string; readonly got: readonly string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (piece: string) => got.push(piece));
    request.on("end", () => response.end(answer));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, got };
}

describe.each(BUNDLER_NAMES)("a page built with %s", (bundler) => {
  it.each(["client", "durable", "indexeddb"] as const)("has the %s within its size, and makes a call", async (page) => {
    const code = await bundlePage(bundler, page);
    const size = gzipSync(code, { level: 9 }).length;
    console.log(`${page}, ${bundler}: ${String(code.length)} bytes, ${String(size)} gzipped`);
    expect(size).toBeLessThan(MOST_BYTES[page]);
    expect(code, "Hermes reads no such pattern").not.toContain(String.raw`\p{`);
    const { url, got } = await startServer();
    const flushed = await open(code).makeCall(url, createMemoryCallStorage());
    expect(flushed).toMatchObject({ delivered: 1, failed: 0, pending: 0 });
    expect(got.join("")).toContain('"event":"Bundled"');
  });
});

/** What some runtime lacks: Deno without permissions, React Native, jest's jsdom, older engines. */
const LACKING: readonly (readonly [what: string, globals: object])[] = [
  ["crypto", { crypto: undefined }],
  ["TextEncoder", { TextEncoder: undefined }],
  ["TextDecoder", { TextDecoder: undefined }],
  ["btoa", { btoa: undefined }],
  ["AbortController", { AbortController: undefined }],
  ["CompressionStream", { CompressionStream: undefined }],
  ["all of these", Object.fromEntries(WEB.filter((name) => !NEEDED.has(name)).map((name) => [name, undefined]))],
  ["an environment that may be read", { process: Object.defineProperty({}, "env", { get: refuse }) }],
  ["streams of answers", { fetch: fetchText }],
  ["the parts of a URL", { URL: TextUrl }],
];

function refuse(): never {
  throw new Error("NotCapable: Requires env access, or is not implemented");
}

/** Answers as React Native does. */
async function fetchText(...request: Parameters<typeof fetch>): Promise<object> {
  const answer = await fetch(...request);
  return { status: answer.status, headers: answer.headers, text: () => answer.text() };
}

/** A URL that is no more than its text, as that of React Native. */
function TextUrl(this: object, href: string): void {
  Object.assign(this, { href });
  Object.defineProperty(this, "protocol", { get: refuse });
}

describe("a page in a runtime that lacks", () => {
  it.each(LACKING)("%s makes its call, and hears of a rejected one", async (_, lacking) => {
    const code = await bundlePage("esbuild", "client");
    const { url, got } = await startServer('{"rejected":[{"index":0,"code":"no-event","message":"m"}]}');
    const flushed = await open(code, lacking).makeCall(url, {});
    expect(flushed).toEqual({ delivered: 0, failed: 1, pending: 0 });
    expect(got.join("")).toContain('"event":"Bundled"');
  });

  it("fetch says so, and throws nothing", async () => {
    const page = open(await bundlePage("esbuild", "client"), { fetch: undefined });
    expect(await page.makeCall("http://127.0.0.1:9", {}, { maxRetries: 0 })).toMatchObject({ failed: 1 });
  });
});

it("names its own version in each call", () => {
  const { name, version } = JSON.parse(read("packages/client/package.json")) as { name: string; version: string };
  expect(LIBRARY).toEqual({ name, version });
});
