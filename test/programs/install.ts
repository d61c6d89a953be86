// Before the tests that need heavy third parties: runs `npm ci` in each folder beside this file whose lock file has changed since
// its last install. Those packages are not in the root's install, so that it stays small.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAMS = fileURLToPath(new URL(".", import.meta.url));
const INSTALL_LIMIT_MS = 1_800_000;

/** Vitest calls it before the run. Throws an error that names the folder if npm fails. */
export function setup(): void {
  for (const entry of readdirSync(PROGRAMS, { withFileTypes: true })) {
    if (entry.isDirectory()) install(join(PROGRAMS, entry.name));
  }
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
