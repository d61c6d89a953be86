// Builds what has changed, so that no test starts a program, or packs a package, that is out of date.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export function build(): void {
  execFileSync("node_modules/.bin/tsc", ["-b"], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
}
