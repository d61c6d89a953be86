// The client in every program that builds or runs it: each bundler, for each place where its code may run, and each runtime. A cell
// is well if the program builds, throws nothing, and its call arrives; the sizes and the cells are printed as tables.

import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { close, listen } from "../../loopback.js";
import { pageFile } from "../../programs/bundlers/bundle.js";
import { BUNDLERS } from "../../programs/runtimes/bundlers.js";
import { PLACES } from "../../programs/runtimes/places.js";
import { runInJsdom, RUNTIMES } from "../../programs/runtimes/runtimes.js";
import { describeInBrowser } from "../browser/browser.js";

const PAGES = ["client", "durable"] as const;
/** The most that a page may load for each, gzipped: 10 and 12.5 KiB. */
const MOST_BYTES = { client: 10_240, durable: 12_800 } as const;
const DELIVERED = { delivered: 1, failed: 0, pending: 0 };

/** The bodies that arrived, by the path of their endpoint. */
const arrived = new Map<string, readonly string[]>();
const server = createServer((request, response) => {
  response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
  if (request.method !== "POST") return void response.setHeader("content-type", "text/html").end("<!doctype html>");
  const [, path = ""] = (request.url ?? "").split("/");
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
  request.on("end", () => {
    arrived.set(path, [...(arrived.get(path) ?? []), body]);
    response.end("{}");
  });
});
let url = "";
let endpoints = 0;

/** The rows of the tables, by the name of the table. */
const tables = new Map<string, Map<string, Record<string, string>>>();

function note(table: string, row: string, cell: Readonly<Record<string, string>>): void {
  const rows = tables.get(table) ?? new Map<string, Record<string, string>>();
  tables.set(table, rows.set(row, { ...rows.get(row), ...cell }));
}

/** The words of one cell: well, or why not. */
async function tryCell(run: (endpoint: string) => Promise<object | undefined>): Promise<string> {
  const path = String((endpoints += 1));
  try {
    const report = await run(`${url}/${path}`);
    if (report === undefined) return "cannot be had";
    expect(report).toEqual(DELIVERED);
    expect(arrived.get(path)).toEqual([expect.stringContaining('"event":"Bundled"')]);
    return "well";
  } catch (error) {
    console.error(path, error);
    return `FAILED: ${String(error).split("\n")[0] ?? ""}`;
  }
}

beforeAll(async () => {
  url = `http://127.0.0.1:${String(await listen(server))}`;
});

afterAll(async () => {
  await close(server);
  for (const [name, rows] of tables) console.log(`\n${tableOf(name, rows)}`);
});

function tableOf(name: string, rows: ReadonlyMap<string, Readonly<Record<string, string>>>): string {
  const columns = [...new Set([...rows.values()].flatMap((row) => Object.keys(row)))];
  const lines = [...rows].map(([row, cells]) => [row, ...columns.map((column) => cells[column] ?? "")]);
  return [[name, ...columns], ["", ...columns].map(() => "---"), ...lines]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

describeInBrowser("the client, bundled", (browser) => {
  const cells = Object.keys(BUNDLERS).flatMap((bundler) =>
    Object.keys(PLACES).flatMap((place) => PAGES.map((page) => ({ bundler, place, page }))),
  );

  it.each(cells)("by $bundler for $place: $page", async ({ bundler, place, page }) => {
    const { target, run } = PLACES[place]!;
    const opened = await browser().newPage();
    const errors: string[] = [];
    opened.on("pageerror", ({ message }) => errors.push(message));
    const cell = await tryCell(async (endpoint) => {
      await opened.goto(url);
      const code = await BUNDLERS[bundler]!(pageFile(page), target);
      const size = gzipSync(code, { level: 9 }).length;
      if (place === "page") note("gzipped bytes", bundler, { [page]: String(size) });
      expect(size).toBeLessThan(MOST_BYTES[page]);
      return run(code, endpoint, opened);
    });
    await opened.close();
    note("bundler", bundler, { [`${place}: ${page}`]: cell });
    expect([cell, ...errors]).toEqual(["well"]);
  });
});

describe("the client, installed", () => {
  const cells = Object.keys(RUNTIMES).flatMap((runtime) => PAGES.map((page) => ({ runtime, page })));

  it.each(cells)("in $runtime: $page", async ({ runtime, page }) => {
    const cell = await tryCell((endpoint) => RUNTIMES[runtime]!(page, endpoint));
    note("runtime", runtime, { [page]: cell });
    expect(cell).toMatch(/^(well|cannot be had)$/);
  });

  it.each(PAGES)("in jest's jsdom, which has no fetch: %s keeps its call, and throws nothing", async (page) => {
    expect(await runInJsdom(page, url)).toMatchObject({ delivered: 0, pending: 1 });
  });
});
