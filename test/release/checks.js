// What must be true before anything is published: nothing uncommitted, one version, a text in the changelog, permissive
// licences. Changes nothing.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLicences } from "../house/licences.js";
import { NEEDS, readManifest, readPackages } from "./workspace.js";

/** Documents that only gain within a version, and the copies of their last release, which test/kept compares. */
export const KEPT_FILES = [
  ["docs/openapi.json", "test/kept/openapi.json"],
  ["packages/postrider/postrider.schema.json", "test/kept/postrider.schema.json"],
];

/** The sources that hold the version: the client tells it to receivers in each message, the program to its operator. */
export const VERSION_FILES = ["packages/client/src/library.ts", "packages/postrider/src/assembly/program-version.ts"];
export const CHANGELOG = "docs/changelog.md";
/** The heading of the version that is not released yet. */
export const UNRELEASED = /^## .+ \(unreleased\)$/m;

/** The most uncommitted files that are named. */
const MAX_NAMED_FILES = 10;

/**
 * @param {string} root
 * @returns {readonly string[]} what is wrong, a sentence each; empty if the release may go on
 */
export function checkRelease(root) {
  const { version } = readManifest(root);
  return [...treeProblems(root), ...versionProblems(root, version), ...changelogProblems(root, version)].concat(
    checkLicences(root).problems,
  );
}

function treeProblems(root) {
  const { status, stdout, stderr } = spawnSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (status !== 0) return [`git status failed: ${stderr.trim()}`];
  const files = stdout.split("\n").filter((line) => line !== "");
  const named = files.slice(0, MAX_NAMED_FILES).map((line) => line.slice(3));
  return files.length === 0 ? [] : [`${files.length} files are not committed: ${named.join(", ")}`];
}

function versionProblems(root, version) {
  const differing = VERSION_FILES.filter((path) => !readFileSync(join(root, path), "utf8").includes(`"${version}"`));
  const stale = differing.map((path) => `${path} names another version than ${version}`);
  return [...readPackages(root).flatMap((one) => packageProblems(one, version, root)), ...stale];
}

function packageProblems({ name, manifest }, version, root) {
  const names = readPackages(root).map((one) => one.name);
  const own = manifest.version === version ? [] : [`${name} has version ${manifest.version}, the workspace ${version}`];
  const needed = NEEDS.flatMap((list) => Object.entries(manifest[list] ?? {}));
  const wrong = needed.filter(([other, asked]) => names.includes(other) && asked !== version);
  return [...own, ...wrong.map(([other, asked]) => `${name} asks for ${other} at ${asked}, not at ${version}`)];
}

function changelogProblems(root, version) {
  const text = readFileSync(join(root, CHANGELOG), "utf8");
  const [, section = ""] = text.replace(UNRELEASED, "").split(`\n## ${version} (`);
  const [, ...lines] = section.split(/^## /m)[0].split("\n");
  return [
    ...(UNRELEASED.test(text) ? [`${CHANGELOG} has a heading that ends with (unreleased)`] : []),
    ...(lines.join("").trim() === "" ? [`${CHANGELOG} has no text under "## ${version}"`] : []),
  ];
}
