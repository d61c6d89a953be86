// Reads and writes the content of docs/renames.md: rows of `package, old, new` as markdown. Does not know git: moves since
// the base are found by write-renames.js.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HEADS = {
  imports: ["from", "names", "now from", "now named"],
  names: ["package", "old", "new"],
  files: ["package", "old", "new"],
  others: ["package", "old", "new"],
  commands: ["old command", "new command"],
};
const TITLES = {
  imports: "Imports",
  names: "Exported names",
  files: "Files",
  others: "Members and other words",
  commands: "Commands",
};
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The page with these rows, sorted. */
export function renamesPage(base, sections) {
  const parts = Object.keys(TITLES).map((key) => `## ${TITLES[key]}\n\n${tableOf(HEADS[key], sections[key])}\n`);
  return `# Renames

<!-- Written by \`node test/house/write-renames.js\`. Add or change a row of three cells in any table and run it: it copies the
row to test/house/renames.json and sorts it in. -->

What notes and patches that were written at commit ${base.slice(0, 7)} call by another name. A name or file that is not listed is
called as it was. Public names have a line in the [changelog](changelog.md) too.

${parts.join("\n")}`;
}

/** The rows of a page by their section; `undefined` where there is no such heading above them. */
export function rowsOf(page) {
  let section;
  return page.split("\n").flatMap((line) => {
    if (line.startsWith("## ")) section = Object.keys(TITLES).find((key) => TITLES[key] === line.slice(3));
    if (!line.startsWith("|")) return [];
    const cells = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const isHead = cells.every((cell) => /^-+$/.test(cell)) || Object.values(HEADS).some((head) => same(head, cells));
    return isHead ? [] : [{ section, cells }];
  });
}

/** The names and paths between backticks in a cell. */
export function tokensOf(cell) {
  const tokens = [...cell.matchAll(/`([^`]+)`/g)].map(([, token]) => token);
  return {
    names: tokens.filter((token) => IDENTIFIER.test(token)),
    paths: tokens.filter((token) => /[/.]/.test(token)),
  };
}

/** Names of rows that no source has, and paths of rows that do not exist. */
export function brokenIn({ section, cells }, surface) {
  if (section !== "names" && section !== "files") return [];
  const [folder, , now] = cells;
  if (now.startsWith("removed")) return [];
  const { names, paths } = tokensOf(now);
  const all = section === "files" ? [] : names.filter((name) => !surface.has(name));
  const gone = paths.filter(
    (path) => /\.\w+$|\/$/.test(path) && !path.startsWith("@") && !existsSync(join(ROOT, placeOf(folder, path))),
  );
  return [...all, ...gone].map((token) => `${folder}: ${cells[1]} → ${token} is not there`);
}

/** Where a path of a row lies in the repository: rows leave out `packages/x/src/`, and `test/` for tests. */
export function placeOf(folder, path) {
  if (/^(packages|test)\//.test(path)) return path;
  return folder === "tests" ? `test/${path}` : `packages/${folder}/src/${path}`;
}

/** Every name at the top level of a source, exported or not. */
export function presentNames() {
  const names = sourcesOf(ROOT).flatMap((path) =>
    Object.values(namesIn(readFileSync(join(ROOT, path), "utf8"))).flat(),
  );
  return new Set(names);
}

/** The sources of all packages, as paths from the root. */
export function sourcesOf(root) {
  return readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
    .map((path) => `packages/${path.replaceAll("\\", "/")}`)
    .filter(isSource)
    .sort();
}

export function isSource(path) {
  return /^packages\/[^/]+\/(src|bin)\/.+\.(ts|js)$/.test(path);
}

/** The names of a source: those declared and exported, those exported from elsewhere, those declared only. */
export function namesIn(text) {
  const names = { declared: [], passedOn: [], inner: [] };
  for (const statement of ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext).statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) {
      const list = statement.moduleSpecifier === undefined ? names.declared : names.passedOn;
      list.push(...(statement.exportClause.elements ?? []).map(({ name }) => name.text));
    } else {
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
      names[isExported ? "declared" : "inner"].push(...declaredBy(statement));
    }
  }
  return names;
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  return statement.name?.text === undefined ? [] : [statement.name.text];
}

function tableOf(head, rows) {
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...[...new Set(lines)].sort()].join("\n");
}

function same(one, other) {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
