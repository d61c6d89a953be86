// Builds what has changed, so that no test starts a program, or packs a package, that is out of date.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Does nothing below a suite, which has built before. */
export function build(): void {
  if (process.env["POSTRIDER_BUILT"] !== undefined) return;
  run("node_modules/typescript-native/bin/tsc", "-b");
  run("packages/client/build.js");
  run("packages/console/build.js");
}

function run(...words: readonly string[]): void {
  execFileSync(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
}
