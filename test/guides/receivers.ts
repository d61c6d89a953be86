// The receivers of docs/guides/receive.md, taken from its code blocks and run as separate programs.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { look, MARK, OLD_SECRET } from "../canary.js";
import { programsIn } from "../house/markdown.js";
import { ROOT } from "../house/packages.js";
import { portForRestarts } from "../loopback.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

export const SECRET = `${MARK}s\u00e9cret \ud83d\udd11`;
export const SECRET_BEFORE = OLD_SECRET;

/** The file of each code block, by the comment in its first line. */
export const GUIDE = programsIn("docs/guides/receive.md", "js", "python");

/** Serves a route handler of Next, which is a function from Request to Response, on node:http. */
const SERVE_ROUTE = `import { serve } from "@hono/node-server";
import { POST } from "./app/hook/route.js";
serve({ fetch: POST, port: Number(process.env.PORT) });
`;

export interface Receiver {
  readonly url: string;
  /** The messages that it has printed as stored. */
  readonly kept: readonly string[];
  stop(): Promise<void>;
}

/** A new folder for the files of a guide. */
export function guideFolder(): string {
  return mkdtempSync(join(tmpdir(), "postrider-guide-"));
}

/** Whether there is a Python to run the Python program with. */
export function hasPython(): boolean {
  return spawnSync("python3", ["--version"]).status === 0;
}

/** Starts a program of the guide, with the module that verifies by one scheme or the other. */
export async function startReceiver(program: string, module: string): Promise<Receiver> {
  const folder = guideFolder();
  writeProgram(folder, program, module);
  const port = await portForRestarts();
  const env = { ...process.env, PORT: String(port), HOOK_SECRET: SECRET, HOOK_SECRET_BEFORE: SECRET_BEFORE };
  const command = program.endsWith(".py") ? "python3" : process.execPath;
  const child = spawn(command, [program], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const kept: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => void look("a receiver's output", part));
  createInterface({ input: child.stdout }).on("line", (line) => kept.push(line));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "close");
    rmSync(folder, { recursive: true });
  };
  await listening(port, child).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${String(port)}/hook`, kept, stop };
}

/** How a program of the guide ends if it is given no secret. */
export function startWithoutSecret(program: string, module: string): number | null {
  const folder = guideFolder();
  writeProgram(folder, program, module);
  const command = program.endsWith(".py") ? "python3" : process.execPath;
  const env = { ...process.env, PORT: "0", HOOK_SECRET: "", HOOK_SECRET_BEFORE: "" };
  const { status } = spawnSync(command, [program], { cwd: folder, env, timeout: CONDITION_WATCHDOG_MS });
  rmSync(folder, { recursive: true });
  return status;
}

function writeProgram(folder: string, program: string, module: string): void {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const files = new Map([...GUIDE, ["package.json", '{ "type": "module" }'], ["next.js", SERVE_ROUTE]]);
  if (!files.has(program)) throw new Error(`the guide has no ${program}`);
  files.set("receive.js", GUIDE.get(module)!);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Resolves once the program accepts connections; a real process needs real time. */
export async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 2_400 && child.exitCode === null; attempt += 1) {
    if (await canConnect(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the program does not listen");
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => {
      resolve(false);
    });
  });
}
