// The declarations of settings contain no io-ts and no fp-ts, so that users need neither install nor understand them.

import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const PACKAGE = new URL("../../packages/relay/", import.meta.url);
const SOURCES = readdirSync(new URL("src/settings", PACKAGE), { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);

/** The compiler's options as the tsconfig of their package has them. */
function optionsOfPackage(): ts.CompilerOptions {
  const path = new URL("tsconfig.json", PACKAGE).pathname;
  const { config } = ts.readConfigFile(path, (file) => readFileSync(file, "utf8")) as { config: object };
  return ts.parseJsonConfigFileContent(config, ts.sys, new URL(".", PACKAGE).pathname).options;
}

describe("a declaration file", () => {
  const compilerOptions = optionsOfPackage();

  it("is written for every source", () => {
    expect(SOURCES).toContain("decode-call.ts");
    expect(SOURCES.length).toBeGreaterThan(10);
  });

  it.each(SOURCES)("of %s names neither io-ts nor fp-ts", (path) => {
    const source = readFileSync(new URL(`src/settings/${path}`, PACKAGE), "utf8");
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, { compilerOptions, fileName: path });
    expect(diagnostics).toEqual([]);
    expect(outputText).not.toMatch(/io-ts|fp-ts/);
  });
});
