// Runs contracts and one life of the real server on other versions of Node, which fetch-node.js gets,
// and the laws, which touch nothing but the language, on the newest of them. A version that cannot be had, or that does not run
// here, is skipped with a line that says so.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fetchNode } from "./fetch-node.js";

/** The projects of each version. */
const VERSIONS = { "22.23.3": ["contracts", "life"], "24.21.0": ["core", "laws", "contracts", "life"] };
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

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
