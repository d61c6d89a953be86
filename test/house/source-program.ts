// The types of sources, for the rules that need them. The library has no DOM, which takes longer to read than a package.

import ts from "typescript";

/** A program of files, which are absolute paths. It does not report errors. */
export function sourceProgram(files: readonly string[], types: readonly string[]): ts.Program {
  return ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2023.d.ts"],
    types: [...types],
    strict: true,
    skipLibCheck: true,
  });
}
