// Runs one of the programs in plain Node, as a separate process. Needs `tsc -b` first.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Program {
  /** Resolves once it has written something. */
  readonly ready: Promise<void>;
  /** Lets it continue, if it waits for a signal. */
  go(): void;
  /** Resolves with the lines that it wrote; rejects if it fails. */
  readonly ended: Promise<readonly string[]>;
}

/** `command` runs it, such as a tracer; plain Node if empty. If it still runs after the test, it is killed. */
export function runProgram(
  name: "commit" | "claim" | "migrate",
  words: readonly string[],
  command: readonly string[] = [],
): Program {
  const path = fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));
  const [file = process.execPath, ...args] = [...command, process.execPath, path, ...words];
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });

  let wrote = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    wrote += text;
  });
  return {
    ready: new Promise((resolve) => child.stdout.once("data", () => resolve())),
    go: () => child.stdin.end("go"),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        if (code === 0) resolve(wrote.trimEnd().split("\n"));
        else reject(new Error(`${name} ended with ${String(code)}`));
      });
    }),
  };
}
