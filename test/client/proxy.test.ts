// The ways through a proxy that the guide shows, behind one that only passes on: it takes CONNECT, as for https, and counts.

import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { programsIn } from "../house/markdown.js";
import { ROOT } from "../house/packages.js";
import { close, listen } from "../loopback.js";
import { fetchNode } from "../nodes/fetch-node.js";

const GUIDE = "docs/guides/where-it-runs.md";
const WITH_UNDICI = "behind-a-proxy.ts";
const node24 = fetchNode("24.21.0");

async function start(server: Server): Promise<string> {
  const port = await listen(server);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${String(port)}`;
}

/** A server, a proxy before it, and what each has got. */
async function startScene(): Promise<{
  readonly url: string;
  readonly proxy: string;
  readonly got: readonly string[];
  readonly through: readonly string[];
}> {
  const got: string[] = [];
  const through: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (piece: string) => got.push(piece));
    request.on("end", () => response.end("{}"));
  });
  const proxy = createServer().on("connect", ({ url = "" }, socket, head) => {
    through.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const behind = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      behind.write(head);
      behind.pipe(socket).pipe(behind);
    });
  });
  return { url: await start(server), proxy: await start(proxy), got, through };
}

/** Runs the guide's program, with or without what it says of undici, on this version of Node. */
async function runProgram(
  node: string,
  url: string,
  env: Readonly<Record<string, string>>,
  isPlain = false,
): Promise<void> {
  const text = programsIn(GUIDE, "ts").get(WITH_UNDICI)!.replace("http://127.0.0.1:9", url);
  const chosen = isPlain ? text.replace(/^.*(undici|transport|dispatcher).*$/gm, "") : text;
  const module = ts.transpile(chosen, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
  const others = { no_proxy: "", NO_PROXY: "" };
  await promisify(execFile)(node, ["--input-type=module", "--eval", module], {
    cwd: ROOT,
    env: { ...process.env, ...others, ...env },
  });
}

it("undici sends calls through the proxy of HTTP_PROXY", async () => {
  const { url, proxy, got, through } = await startScene();
  await runProgram(process.execPath, url, { http_proxy: proxy });
  expect(got.join("")).toContain('"event":"Signed Up"');
  expect(through).toEqual([new URL(url).host]);
});

it.skipIf(node24 === undefined)("fetch of Node 24 does so with NODE_USE_ENV_PROXY alone", async () => {
  for (const [env, times] of [[{}, 0] as const, [{ NODE_USE_ENV_PROXY: "1" }, 1] as const]) {
    const { url, proxy, got, through } = await startScene();
    await runProgram(node24!, url, { HTTP_PROXY: proxy, ...env }, true);
    expect(got.join("")).toContain('"event":"Signed Up"');
    expect(through).toHaveLength(times);
  }
});
