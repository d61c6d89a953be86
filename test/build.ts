// Builds what has changed, so that no test starts a program, or packs a package, that is out of date.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Does nothing below a suite, which has built before. */
export function build(): void {
  if (process.env["POSTRIDER_BUILT"] !== undefined) return;
  run("node_modules/.bin/tsc", "-b");
  run(process.execPath, "packages/console/build.js");
}

function run(program: string, argument: string): void {
  execFileSync(program, [argument], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
}
