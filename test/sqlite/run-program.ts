// Runs one of the programs in plain Node, as a process of its own. Needs `tsc -b` first.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const exec = promisify(execFile);

export function programPath(name: "commit" | "claim"): string {
  return fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));
}

/** Resolves with what it wrote; rejects if it fails. `command` runs it, such as a tracer; plain Node if empty. */
export async function runProgram(
  name: "commit" | "claim",
  words: readonly string[],
  command: readonly string[] = [],
): Promise<readonly string[]> {
  const [file = process.execPath, ...args] = [...command, process.execPath, programPath(name), ...words];
  const { stdout } = await exec(file, args, { timeout: 60_000 });
  return stdout.split("\n").filter((line) => line !== "");
}
