// Builds the packages anew and packs them, as `npm publish` would.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reasonOf, runNpm } from "./npm.js";
import { inDependencyOrder, readPackages } from "./workspace.js";

/**
 * @typedef {object} Tarball
 * @property {string} name
 * @property {string} version
 * @property {string} path
 * @property {string} integrity - as a registry and a lock file show it, such as `sha512-…`
 * @property {number} bytes - packed
 */

/**
 * Removes what earlier builds have left, and builds.
 *
 * @throws {Error} if it does not compile
 */
export function buildAnew(root) {
  for (const { folder } of readPackages(root)) {
    rmSync(join(root, folder, "dist"), { recursive: true, force: true });
    for (const name of readdirSync(join(root, folder)).filter((file) => file.endsWith(".tsbuildinfo")))
      rmSync(join(root, folder, name));
  }
  build(root, "node_modules/typescript-native/bin/tsc", "-b");
  build(root, "packages/client/build.js");
  build(root, "packages/console/build.js");
}

function build(root, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`the build failed:\n${(stdout + stderr).trim()}`);
}

/**
 * Packs every package into `folder`. The same files give the same bytes.
 *
 * @returns {readonly Tarball[]} in the order in which they are published
 * @throws {Error} if npm cannot pack one
 */
export function packAll(root, folder) {
  const ran = runNpm(["pack", "--workspaces", "--json", "--ignore-scripts", "--pack-destination", folder], root);
  if (!ran.ok) throw new Error(`npm pack failed:\n${reasonOf(ran)}`);
  const packed = new Map(JSON.parse(ran.stdout).map((one) => [one.name, one]));
  return inDependencyOrder(readPackages(root)).map(({ name }) => {
    const { version, filename, integrity, size } = packed.get(name);
    return { name, version, path: join(folder, filename), integrity, bytes: size };
  });
}
