// Before the tests that need heavy third parties: runs `npm ci` in each folder beside this file whose lock file has changed since
// its last install. Those packages are not in the root's install, so that it stays small. What only a long run needs is installed for it.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAMS = fileURLToPath(new URL(".", import.meta.url));
const INSTALL_LIMIT_MS = 1_800_000;

const FOR_LONG_RUNS: ReadonlySet<string> = new Set(["runtimes"]);

/**
 * Vitest calls it before the run. Installs the folders that `POSTRIDER_PROGRAMS` names, or else all but those for long runs. Throws an
 * error that names the folder if npm fails.
 */
export function setup(): void {
  const named = process.env["POSTRIDER_PROGRAMS"]?.split(",");
  for (const folder of named ?? folders().filter((name) => !FOR_LONG_RUNS.has(name))) install(join(PROGRAMS, folder));
}

function folders(): readonly string[] {
  return readdirSync(PROGRAMS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function install(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const mark = join(folder, "node_modules/.installed-lock.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  try {
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: "pipe", timeout: INSTALL_LIMIT_MS });
  } catch (cause) {
    throw new Error(`npm ci failed in ${folder}`, { cause });
  }
  writeFileSync(mark, lock);
}
