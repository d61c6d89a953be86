// What an editor shows when a reader points at a name: every name that a package exports has a comment, and in the
// packages that programs of hosts import, every member too. Reads the built declarations, as an editor of a user does.

import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PACKAGES, ROOT } from "./packages.js";

interface Entry {
  readonly specifier: string;
  readonly file: string;
}

const ENTRIES: readonly Entry[] = PACKAGES.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [{ specifier: path.replace(".", manifest.name), file: join(ROOT, "packages", folder, target["types"]!) }],
  ),
);

/** The packages that programs of hosts import. */
const WITH_MEMBERS = ["postrider", "@postrider/client", "@postrider/client/durable"];

const program = ts.createProgram(
  ENTRIES.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: ["node"] },
);
const checker = program.getTypeChecker();

describe("every exported name", () => {
  it.each(ENTRIES)("of $specifier has a comment", ({ file }) => {
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!);
    expect(exported).not.toHaveLength(0);
    expect(exported.filter((symbol) => isOurs(symbol) && commentOf(symbol) === "").map(({ name }) => name)).toEqual([]);
  });
});

describe("every member of an exported interface", () => {
  it.each(ENTRIES.filter(({ specifier }) => WITH_MEMBERS.includes(specifier)))(
    "of $specifier has a comment",
    (entry) => {
      const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry.file)!)!);
      const members = exported.flatMap((symbol) =>
        membersOf(symbol, dirname(entry.file)).map((member) => ({ member, name: `${symbol.name}.${member.name}` })),
      );
      expect(members).not.toHaveLength(0);
      expect(members.filter(({ member }) => commentOf(member) === "").map(({ name }) => name)).toEqual([]);
    },
  );
});

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

function commentOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(declared(symbol).getDocumentationComment(checker));
}
