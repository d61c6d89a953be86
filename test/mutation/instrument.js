// Makes a copy of the tree in which some files have all their mutants, each behind a switch. Stryker's instrumenter makes the
// mutants; this file does not know which of them are played.

import { Instrumenter } from "@stryker-mutator/instrumenter";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {object} Mutant
 * @property {string} id - the value of the switch
 * @property {string} file - its path in the tree
 * @property {number} line - from 1
 * @property {string} what - what became of the code: `kind: replacement`
 * @property {string} before - the code that it replaces, its first line
 */

/**
 * Puts all mutants of some files into their copies.
 *
 * @param {{ root: string, copy: string, paths: readonly string[] }} where - `copy` is a copy of the tree at `root`
 * @returns {Promise<readonly Mutant[]>}
 */
export async function instrument({ root, copy, paths }) {
  const files = paths.map((path) => ({ name: path, content: readFileSync(join(root, path), "utf8"), mutate: true }));
  const { files: changed, mutants } = await new Instrumenter(SILENT).instrument(files, OPTIONS);
  for (const file of changed) writeFileSync(join(copy, file.name), withSwitch(file.content, mutants.length));
  const lines = new Map(files.map(({ name: path, content }) => [path, content.split("\n")]));
  return mutants.map((mutant) => describe(mutant, lines.get(mutant.fileName) ?? []));
}

/**
 * @param {string} root
 * @param {string} folder - of sources, under packages/
 * @param {readonly string[]} [without] - folders in it
 * @returns {readonly string[]}
 */
export function sourcesOf(root, folder, without = []) {
  const paths = list(root, `packages/${folder}`).filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  return paths.filter((path) => !without.some((inner) => path.startsWith(`packages/${folder}/${inner}/`)));
}

const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
const SILENT = new Proxy({}, { get: () => () => false });

/**
 * Stryker's switch and counters cost too much in tests that run the code a million times that these take their place: two
 * numbers to compare, and an array to count in. `switch.js` reads and sets them.
 */
function withSwitch(code, count) {
  const fields = `on: -1, hits: 0, hitLimit: 0, counts: new Float64Array(${String(count)})`;
  const hit = `hit() { if (++this.hits > this.hitLimit) throw new Error("mutation: the limit of hits"); return true; }`;
  const header = `const mutation_9fa48 = (globalThis.__mutation__ ??= { ${fields}, ${hit} });\n`;
  const changed = code
    .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, "(mutation_9fa48.on === $1 && mutation_9fa48.hit())")
    .replaceAll(/stryCov_9fa48\(("\d+"(?:, "\d+")*)\)/g, (_, ids) => countersOf(ids));
  return header + changed;
}

function countersOf(ids) {
  const each = ids.match(/\d+/g).map((id) => `mutation_9fa48.counts[${id}]++`);
  return `(${each.join(", ")})`;
}

/** The instrumenter counts lines and columns from 0. */
function describe({ id, fileName: file, location: { start, end }, mutatorName, replacement }, lines) {
  const line = lines[start.line] ?? "";
  const before = line.slice(start.column, end.line === start.line ? end.column : undefined);
  return { id, file, line: start.line + 1, what: `${mutatorName}: ${replacement.split("\n")[0]}`, before };
}

/** Copies all files that are not ignored, with what was built and installed beside them. */
export function copyTree(root, copy) {
  for (const path of list(root, ".")) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  const foldersIn = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const beside = [
    ...foldersIn("packages").flatMap((path) => [`${path}/node_modules`, `${path}/dist`]),
    ...foldersIn("test/programs").map((path) => `${path}/node_modules`),
  ];
  for (const path of ["node_modules", ...beside]) {
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(copy, path));
  }
}

function list(root, folder) {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "--", folder];
  const paths = execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\n");
  return paths.filter((path) => path !== "" && existsSync(join(root, path)));
}
