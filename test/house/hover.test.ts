// What an editor shows when a reader points at a name: every name that a package exports has a comment, and in the
// packages that programs of hosts import, every member too. Reads the built declarations, as an editor of a user does.

import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ENTRIES, ROOT } from "./packages.js";
import { expectNone } from "./violations.js";

/** The packages that programs of hosts import. */
const WITH_MEMBERS = ["postrider", "@postrider/client", "@postrider/client/durable", "@postrider/client/indexeddb"];

const program = ts.createProgram(
  ENTRIES.map(({ types }) => join(ROOT, types)),
  // What others declare is not asked for a comment, so the library is not read.
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [], noLib: true },
);
const checker = program.getTypeChecker();

describe("every exported name", () => {
  it.each(ENTRIES)("of $specifier has a comment", ({ types }) => {
    const exported = exportsOf(types);
    expect(exported).not.toHaveLength(0);
    expectNone(exported.filter((symbol) => isOurs(symbol) && commentOf(symbol) === "").map(todoFor));
  });
});

describe("every member of an exported interface", () => {
  it.each(ENTRIES.filter(({ specifier }) => WITH_MEMBERS.includes(specifier)))(
    "of $specifier has a comment",
    ({ types }) => {
      const members = exportsOf(types).flatMap((symbol) => membersOf(symbol, join(ROOT, dirname(types))));
      expect(members).not.toHaveLength(0);
      expectNone(members.filter((member) => commentOf(member) === "").map(todoFor));
    },
  );
});

function exportsOf(file: string): readonly ts.Symbol[] {
  return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, file))!)!);
}

/** The members that the package in `folder` declares, without those that an interface has from another package. */
function membersOf(symbol: ts.Symbol, folder: string): readonly ts.Symbol[] {
  const { declarations = [] } = declared(symbol);
  if (!declarations.some(ts.isInterfaceDeclaration)) return [];
  return checker
    .getDeclaredTypeOfSymbol(declared(symbol))
    .getProperties()
    .filter(({ declarations: places = [] }) =>
      places.some((place) => place.getSourceFile().fileName.startsWith(folder)),
    );
}

/** Follows re-exports to the declaration. */
function declared(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Not so: a type of a third party that is exported again. */
function isOurs(symbol: ts.Symbol): boolean {
  const files = declared(symbol).declarations?.map((declaration) => declaration.getSourceFile().fileName) ?? [];
  return files.some((file) => file.startsWith(join(ROOT, "packages/")));
}

/** Where the source of a declaration is: it is built by the same path, at another line. */
function todoFor(symbol: ts.Symbol): string {
  const [declaration] = declared(symbol).declarations!;
  const built = declaration!.getSourceFile().fileName;
  const path = relative(ROOT, built)
    .replace("/dist/", "/src/")
    .replace(/\.d\.ts$/, ".ts");
  const owner = ts.isInterfaceDeclaration(declaration!.parent) ? `${declaration!.parent.name.text}.` : "";
  return `${path}: give ${owner}${symbol.name} a comment, /** … */, which editors show`;
}

function commentOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(declared(symbol).getDocumentationComment(checker));
}
