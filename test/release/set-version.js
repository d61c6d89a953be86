// Writes the version of the next release into all places that hold one, keeps copies of the documents that it publishes, and
// gives the version of the changelog that is not released its number and the date.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHANGELOG, KEPT_FILES, UNRELEASED, VERSION_FILES } from "./checks.js";
import { NEEDS, readManifest, readPackages } from "./workspace.js";

/**
 * @param {string} root
 * @param {string} version - such as `0.2.0`
 * @param {string} date - such as `2026-01-31`
 * @throws {Error} if the changelog has nothing that is not released, or has this version already
 */
export function setVersion(root, version, date) {
  const former = readManifest(root).version;
  const changelog = readFileSync(join(root, CHANGELOG), "utf8");
  const rest = changelog.replace(UNRELEASED, "");
  if (rest.includes(`\n## ${version} (`)) throw new Error(`${CHANGELOG} has a heading "## ${version}" already`);
  if (rest === changelog) throw new Error(`${CHANGELOG} has no heading that ends with (unreleased)`);
  const packages = readPackages(root);
  const names = packages.map(({ name }) => name);
  for (const folder of ["", ...packages.map((one) => one.folder)]) {
    edit(join(root, folder, "package.json"), (manifest) => withVersion(manifest, names, version));
  }
  edit(join(root, "package-lock.json"), (lock) => lockWith(lock, names, version));
  for (const path of VERSION_FILES) {
    const source = readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, path), source.replace(`"${former}"`, `"${version}"`));
  }
  for (const [current, kept] of KEPT_FILES) copyFileSync(join(root, current), join(root, kept));
  writeFileSync(join(root, CHANGELOG), changelog.replace(UNRELEASED, `## ${version} (${date})`));
}

function edit(path, change) {
  const value = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, `${JSON.stringify(change(value), undefined, 2)}\n`);
}

function lockWith(lock, names, version) {
  const own = ([path]) => path === "" || path.startsWith("packages/");
  const entries = Object.entries(lock.packages);
  const changed = entries.map((entry) =>
    own(entry) && !entry[0].includes("node_modules") ? [entry[0], withVersion(entry[1], names, version)] : entry,
  );
  return { ...lock, version, packages: Object.fromEntries(changed) };
}

function withVersion(manifest, names, version) {
  const lists = NEEDS.filter((list) => manifest[list] !== undefined);
  const changed = lists.map((list) => [list, atVersion(manifest[list], names, version)]);
  // Keys keep their places.
  return { ...manifest, version, ...Object.fromEntries(changed) };
}

function atVersion(needed, names, version) {
  return Object.fromEntries(
    Object.entries(needed).map(([name, asked]) => [name, names.includes(name) ? version : asked]),
  );
}
