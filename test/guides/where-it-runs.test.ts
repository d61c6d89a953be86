// Runs the programs that the guide shows for pages, workers, serverless functions, React Native and CommonJS, on the build. Those
// for jest and for proxies are run where these are: in the long run `programs`, and in test/client/proxy.test.ts.

import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { programsIn } from "../house/markdown.js";
import { ROOT } from "../house/packages.js";
import { close, listen } from "../loopback.js";
import { tempFolder } from "../postrider/config-file.js";

const GUIDE = "docs/guides/where-it-runs.md";
/** What the app of React Native gives to a program, as far as the guide uses it. */
const REACT_NATIVE = `
  const listeners = [];
  export const AppState = { addEventListener: (_, listener) => listeners.push(listener) };
  export const changeTo = (state) => listeners.forEach((listener) => listener(state));`;

type Call = Readonly<Record<string, unknown>>;

/** A server that takes batches, and the calls that have arrived. */
async function startServer(): Promise<{ readonly url: string; readonly calls: readonly Call[] }> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      calls.push(...(JSON.parse(body) as { readonly batch: readonly Call[] }).batch);
      response.end("{}");
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, calls };
}

/** A folder with a program of the guide as JavaScript, and with what it imports; its calls go to `url`. */
function folderWith(program: string, url: string): string {
  const folder = tempFolder();
  mkdirSync(join(folder, "node_modules/react-native"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules/@postrider"), join(folder, "node_modules/@postrider"));
  writeFileSync(join(folder, "node_modules/react-native/package.json"), '{"type":"module","main":"index.js"}');
  writeFileSync(join(folder, "node_modules/react-native/index.js"), REACT_NATIVE);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const text = programsIn(GUIDE, "ts", "js").get(program)!.replace("http://127.0.0.1:9", url);
  const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const isScript = program.endsWith(".cjs");
  writeFileSync(join(folder, program.replace(/\.ts$/, ".js")), isScript ? text : ts.transpile(text, target));
  return folder;
}

/** Runs a program of the guide by a program that uses it. */
async function run(
  program: string,
  by: string,
): Promise<{ readonly calls: readonly Call[]; readonly printed: string }> {
  const { url, calls } = await startServer();
  const cwd = folderWith(program, url);
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", by], { cwd });
  return { calls, printed: stdout };
}

describe("the program of the guide", () => {
  it("for a page delivers its view, and knows the visitor again when it is loaded the next time", async () => {
    const { calls } = await run(
      "page.js",
      `const location = { href: "http://a.example/b" };
      const document = { title: "Home", referrer: "http://c.example/" };
      Object.assign(globalThis, { localStorage: {}, document, location });
      for (const visit of [1, 2]) await (await import("./page.js?" + visit)).client.flush();`,
    );
    const properties = { url: "http://a.example/b", referrer: "http://c.example/" };
    expect(calls).toMatchObject(Array(2).fill({ type: "page", name: "Home", properties }));
    expect(calls[0]!["anonymousId"]).toMatch(/^[\da-f-]{36}$/);
    expect(calls[1]!["anonymousId"]).toBe(calls[0]!["anonymousId"]);
  });

  it("for an edge worker answers, and delivers within the promise that it passes on", async () => {
    const { calls, printed } = await run(
      "worker.ts",
      `import worker from "./worker.js";
      const promises = [];
      const answer = worker.fetch(new Request("http://a.example/b"), {}, { waitUntil: (one) => promises.push(one) });
      console.log(await answer.text(), JSON.stringify(await Promise.all(promises)));`,
    );
    expect(printed).toBe('hello [{"delivered":1,"failed":0,"pending":0}]\n');
    expect(calls).toMatchObject([{ type: "track", event: "Asked", properties: { url: "http://a.example/b" } }]);
  });

  it("for a serverless function has delivered once its handler has answered", async () => {
    const { calls } = await run(
      "function.ts",
      `import { handler } from "./function.js";
      await handler({ id: "o1", userId: "u1" });
      process.exit(0);`,
    );
    expect(calls).toMatchObject([{ event: "Order Placed", userId: "u1", properties: { id: "o1" } }]);
  });

  it("for React Native delivers when the app goes to the background", async () => {
    const { calls } = await run(
      "calls.js",
      `import { changeTo } from "react-native";
      import { client } from "./calls.js";
      client.track({ userId: "u1", event: "Signed Up" });
      changeTo("background");`,
    );
    expect(calls).toMatchObject([{ event: "Signed Up" }]);
  });

  it("for CommonJS delivers before it ends", async () => {
    const { calls, printed } = await run("program.cjs", 'import "./program.cjs";');
    expect(printed).toBe("0\n");
    expect(calls).toMatchObject([{ event: "Signed Up" }]);
  });
});
