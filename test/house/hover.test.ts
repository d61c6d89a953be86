// What an editor shows when a reader points at a name: every name that a package exports has a comment. Reads the built
// declarations of every entry, as an editor of a user does.

import { join } from "node:path";
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
