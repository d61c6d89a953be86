// The real program as a process: the built `postrider serve` with a config file, to be signalled, killed and started
// again. Needs `tsc -b` first.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { look } from "../canary.js";

export const PROGRAM = "packages/postrider/bin/postrider.js";

export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly code: string;
  readonly delivery: string | null;
  readonly destination: string | null;
  readonly endpoint: string | null;
  readonly detail: string | null;
  /** In the line `listening`. */
  readonly process?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramProcess {
  readonly pid: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** Resolves with the first line of standard output that matches; rejects if the program ends before. */
  line(pattern: RegExp): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  readonly exit: Promise<Exit>;
}

export interface ServerProcess extends ProgramProcess {
  readonly url: string;
  log(): readonly LogLine[];
  /** kill -9; resolves once it has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves once it has ended. */
  end(): Promise<Exit>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The command that runs the program, such as a tracer; plain Node if absent. */
  readonly command?: readonly string[];
  /** Further words of the command line. */
  readonly words?: readonly string[];
}

/** Runs a command line; its process is killed after the test if it still runs. */
export function runProcess(words: readonly string[], { env = {}, command = [] }: RunOptions = {}): ProgramProcess {
  const [file = process.execPath, ...args] = [...command, process.execPath, PROGRAM, ...words];
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<Exit>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  const out = linesOf(child, "stdout");
  const err = linesOf(child, "stderr");
  return {
    pid: child.pid ?? 0,
    out: out.lines,
    err: err.lines,
    line: (pattern) => Promise.race([out.line(pattern), exit.then(() => ended(words, err.lines))]),
    signal: (signal) => void child.kill(signal),
    exit,
  };
}

/** Starts a server; resolves once it accepts calls. */
export async function serve(config: string, options: RunOptions = {}): Promise<ServerProcess> {
  const program = runProcess(["serve", "--config", config, ...(options.words ?? [])], options);
  const line = await program.line(/^listening on /);
  const endBy = (signal: NodeJS.Signals): Promise<Exit> => {
    program.signal(signal);
    return program.exit;
  };
  return {
    ...program,
    url: line.slice("listening on ".length),
    log: () => program.err.map((text) => JSON.parse(text) as LogLine),
    kill: async () => {
      await endBy("SIGKILL");
    },
    end: () => endBy("SIGTERM"),
  };
}

function ended(words: readonly string[], err: readonly string[]): never {
  throw new Error(`postrider ${words.join(" ")} has ended: ${err.join("\n")}`);
}

function linesOf(child: ChildProcess, name: "stdout" | "stderr") {
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const stream = child[name];
  if (stream === null) throw new Error(`no ${name}`);
  createInterface({ input: stream }).on("line", (line) => {
    look(`${name} of a process`, line);
    lines.push(line);
    for (const watch of [...watchers]) watch();
  });
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const watch = (): void => {
        const found = lines.find((text) => pattern.test(text));
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
    });
  return { lines, line };
}
