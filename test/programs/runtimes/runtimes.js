// The runtimes and test runners in which the client is tried as it is installed, and those that are tried in this process.

import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { EdgeVM } from "@edge-runtime/vm";
import { transform } from "esbuild";
import { fetchNode } from "../../nodes/fetch-node.js";
import { bundlePage, pageFile } from "../bundlers/bundle.js";
import { callText, runProgram } from "./run-in.js";

const JEST = local("jest/bin/jest.js");
const JSDOM = local("jest-environment-jsdom");
const VITEST = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
const HERMES = local("hermes-engine-cli/linux64-bin/hermes");

const thisNode = () => process.execPath;
const node22 = () => fetchNode("22.23.3");
const node24 = () => fetchNode("24.21.0");
const deno = () => local("@deno/linux-x64-glibc/deno");
const bun = () => local("@oven/bun-linux-x64/bin/bun");

const MODULE = { file: "program.mjs", textOf: (source, call) => `${source}\n${call};` };
const SCRIPT = { file: "program.cjs", textOf: (source, call) => `${requiring(source)}\n${call};` };
const DENO = { ...MODULE, find: deno, others: { "package.json": '{"type":"module"}' } };
const TEST = { find: thisNode, file: "program.test.js" };
const JEST_TEST = { ...TEST, textOf: (source, call) => `${requiring(source)}\ntest("call", () => ${call});` };
const VITEST_TEST = { ...TEST, textOf: (source, call) => `${source}\ntest("call", () => ${call});` };
const PACKAGE = { "package.json": "{}" };
/** What the guide adds for a test that wants both a page and calls. */
const JSDOM_WITH_FETCH = readFileSync(new URL("../../../docs/guides/where-it-runs.md", import.meta.url), "utf8")
  .split("// environment.js\n")[1]
  .split("```")[0]
  .replace('"jest-environment-jsdom"', JSON.stringify(JSDOM));
const SOON = "{ closeTimeoutMs: 100 }, { timeoutMs: 100 }";

/**
 * By its name, each runtime: a function of a page, such as `client`, and an endpoint. It resolves with what flushing has answered, or
 * with undefined if the runtime cannot be had; it rejects with what went wrong.
 */
export const RUNTIMES = {
  "Node 20": inProgram({ ...MODULE, find: thisNode }),
  "Node 20, `require`": inProgram({ ...SCRIPT, find: thisNode }),
  "Node 22": inProgram({ ...MODULE, find: node22 }),
  "Node 24": inProgram({ ...MODULE, find: node24 }),
  "Node 24, `require`": inProgram({ ...SCRIPT, find: node24 }),
  "Deno, `--allow-net`": inProgram({ ...DENO, words: ["run", "--no-prompt", "--allow-net"] }),
  "Deno, `--allow-net --allow-env`": inProgram({
    ...DENO,
    words: ["run", "--no-prompt", "--allow-net", "--allow-env"],
  }),
  Bun: inProgram({ ...MODULE, find: bun }),
  "Bun, `require`": inProgram({ ...SCRIPT, find: bun }),
  "edge-runtime": inEdgeRuntime,
  "Hermes 0.12, with what React Native adds": inHermes,
  jest: inProgram({ ...JEST_TEST, words: [JEST], others: PACKAGE }),
  "jest, jsdom with `fetch`": inProgram({
    ...JEST_TEST,
    words: [JEST, "--env", "./environment.js"],
    others: { ...PACKAGE, "environment.js": JSDOM_WITH_FETCH },
  }),
  vitest: inProgram({ ...VITEST_TEST, words: [VITEST, "run", "--globals", "--root", "."] }),
};

/** jsdom alone has no `fetch`, so that no call can arrive there. */
export const runInJsdom = inProgram({ ...JEST_TEST, words: [JEST, "--env", JSDOM], others: PACKAGE, options: SOON });

/** What a program has printed about its call. */
export function reportIn(printed) {
  const [, report] = /REPORT (\{.*\})/.exec(printed) ?? [];
  if (report === undefined) throw new Error(`printed no report: ${printed}`);
  return JSON.parse(report);
}

function local(path) {
  return fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
}

/** The same program for CommonJS. */
function requiring(source) {
  return source.replace(/^import (\{.*\}) from (".*");$/m, "const $1 = require($2);");
}

function inProgram({ find, textOf, options, ...program }) {
  return async (page, endpoint) => {
    const command = find();
    if (command === undefined || !existsSync(command)) return undefined;
    const call = `${callText(endpoint, options)}.then((report) => console.log("REPORT", JSON.stringify(report)))`;
    return reportIn(
      await runProgram({ ...program, command, code: textOf(await readFile(pageFile(page), "utf8"), call) }),
    );
  };
}

async function inEdgeRuntime(page, endpoint) {
  const vm = new EdgeVM({ initialCode: await bundlePage("esbuild", page) });
  return vm.evaluate(callText(endpoint));
}

/** What React Native adds to its engine, whose answers have no streams and whose `URL` does not tell its parts. */
const REACT_NATIVE = `
  globalThis.console = { log: print, error: print };
  globalThis.performance = { now: Date.now };
  globalThis.URL = function (href) { this.href = href; };
  for (const part of ["hash", "host", "hostname", "origin", "password", "pathname", "port", "protocol", "search", "username"])
    Object.defineProperty(URL.prototype, part, { get() { throw new Error("URL." + part + " is not implemented"); } });
  globalThis.fetch = (url, request) => {
    print("POST", JSON.stringify([url, request.headers, request.body]));
    return Promise.resolve({ status: 200, headers: { get: () => null }, text: () => Promise.resolve("{}") });
  };`;

/** Hermes alone has no network: what it would send is sent here. Its syntax is older, as Metro's compiler takes into account. */
async function inHermes(page, endpoint) {
  if (!existsSync(HERMES)) return undefined;
  const call = `${callText(endpoint)}.then((report) => print("REPORT", JSON.stringify(report)))`;
  const source = `${REACT_NATIVE}\n${await bundlePage("esbuild", page)}\n;${call}`;
  const { code } = await transform(source, { target: "es2015" });
  const printed = await runProgram({ command: HERMES, file: "program.js", code });
  for (const [, post] of printed.matchAll(/^POST (.*)$/gm)) {
    const [url, headers, body] = JSON.parse(post);
    await fetch(url, { method: "POST", headers, body });
  }
  return reportIn(printed);
}
