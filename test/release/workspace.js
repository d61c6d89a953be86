// The packages of a workspace in the order in which they are published: each after all that it needs. Reads manifests only.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The lists of a manifest that may name another package of the workspace. */
export const NEEDS = ["dependencies", "optionalDependencies", "peerDependencies"];

/**
 * @typedef {object} OwnPackage
 * @property {string} name
 * @property {string} folder - relative to the root, such as `packages/core`
 * @property {Record<string, any>} manifest
 */

/**
 * @param {string} root - the folder with `package.json` and `packages`
 * @returns {readonly OwnPackage[]} by name
 */
export function readPackages(root) {
  return readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(join(root, folder)) }))
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The manifest in a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/**
 * The packages, each after those that it needs, so that an install works at any moment of a release.
 *
 * @param {readonly OwnPackage[]} packages
 * @returns {readonly OwnPackage[]}
 * @throws {Error} if packages need one another in a circle
 */
export function inDependencyOrder(packages) {
  const ordered = [];
  const waiting = new Map(packages.map((one) => [one.name, one]));
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ manifest }) => !namesNeeded(manifest).some((name) => waiting.has(name)),
    );
    if (ready.length === 0) throw new Error(`packages need one another in a circle: ${[...waiting.keys()].join(", ")}`);
    for (const one of ready) waiting.delete(one.name);
    ordered.push(...ready);
  }
  return ordered;
}

function namesNeeded(manifest) {
  return NEEDS.flatMap((list) => Object.keys(manifest[list] ?? {}));
}
