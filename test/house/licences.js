// Which packages reach a production install and are under a licence that we do not pass on: copyleft, or unknown. Reads
// the installed manifests, those of optional dependencies included. A part of `npm run audit` and of a release.

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPermissive, statedLicence } from "./licence-expression.js";

/**
 * Packages that are let through all the same: the name, the licence that was read, and the reason. A licence that differs from
 * the one that was read is refused again.
 *
 * @type {readonly { readonly name: string, readonly licence: string, readonly reason: string }[]}
 */
export const EXCEPTIONS = [];

/** More packages than this mean that something else than a production install is being read. */
const MAX_PACKAGES = 1_000;

/**
 * Reads all packages of the workspace at `root`, and what they need.
 *
 * @param {string} root - the folder with `packages` and `node_modules`
 * @param {typeof EXCEPTIONS} exceptions
 * @returns {{ readonly read: readonly string[], readonly problems: readonly string[] }} `read` has each package with its
 *   version and its licence; `problems` has a sentence for each refused package
 * @throws {Error} if there are more than 1,000 packages
 */
export function checkLicences(root, exceptions = EXCEPTIONS) {
  const waiting = ownFolders(root).map((folder) => ({ folder, by: "the workspace" }));
  const seen = new Set();
  const read = [];
  const problems = [];
  for (const { folder, by } of waiting) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    if (seen.size > MAX_PACKAGES) throw new Error(`more than ${MAX_PACKAGES} packages would be installed`);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    read.push(`${manifest.name}@${manifest.version} ${statedLicence(manifest) || "(none)"}`);
    problems.push(...licenceProblems({ manifest, by, exceptions }));
    for (const name of neededBy(manifest)) {
      const found = resolvePackage(name, folder);
      if (found !== undefined) waiting.push({ folder: found, by: manifest.name });
      else if (!isOptionalPeer(manifest, name))
        problems.push(`${name}, needed by ${manifest.name}, is not installed here, so its licence is unknown`);
    }
  }
  return { read: read.sort(), problems };
}

function ownFolders(root) {
  const folder = join(root, "packages");
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
  return names.map((name) => realpathSync(join(folder, name)));
}

function licenceProblems({ manifest, by, exceptions }) {
  const licence = statedLicence(manifest);
  if (isPermissive(licence)) return [];
  if (exceptions.some((one) => one.name === manifest.name && one.licence === licence)) return [];
  const stated =
    licence === "" ? "states no licence" : `is under ${licence}, which is not on the list of permissive ones`;
  return [`${manifest.name}@${manifest.version}, needed by ${by}, ${stated}`];
}

/** Peers, too: npm installs them, or the host does. */
function neededBy({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Such a package reaches only who installs it. */
function isOptionalPeer({ peerDependencies = {}, peerDependenciesMeta = {} }, name) {
  return name in peerDependencies && peerDependenciesMeta[name]?.optional === true;
}

/** The folder that Node would find from `folder`: in its node_modules or in those of a folder above. */
function resolvePackage(name, folder) {
  const place = join(folder, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return realpathSync(place);
  const above = dirname(folder);
  return above === folder ? undefined : resolvePackage(name, above);
}
