// docs/api shows the exports of each entry as built now, and a change of the public surface changes a page.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiPages, INTERNAL_ENTRIES } from "./api-report.js";
import { ENTRIES, filesUnder, read } from "./packages.js";
import { expectNone } from "./violations.js";

const pages = await apiPages();

describe("docs/api", () => {
  it("has a page with all exports of each public entry, and no other page", () => {
    const present = filesUnder("docs/api", "");
    const behind = [...pages].filter(([path, text]) => !present.includes(path) || read(path) !== text);
    const others = present.filter((path) => !pages.has(path));
    expectNone([
      ...behind.map(([path]) => `${path}: is behind the package: run \`npm run docs\` and commit what it writes`),
      ...others.map((path) => `${path}: is of no entry: run \`npm run docs\` and commit what it removes`),
    ]);
  });
});

describe("an internal entry", () => {
  it.each(INTERNAL_ENTRIES)("%s has a source that opens with its mark, and no page", (specifier) => {
    const source = ENTRIES.find((entry) => entry.specifier === specifier)?.source ?? "no such entry";
    expect(read(source)).toMatch(/^\/\/ @internal /);
    const page = `docs/api/${specifier.split("/").slice(1).join(".")}.d.ts`;
    expect([...pages.keys()]).not.toContain(page);
  });
});

describe("the page of an entry", () => {
  const manifest = {
    name: "@postrider/one",
    exports: { ".": { types: "./dist/index.d.ts" }, "./two": { types: "./dist/two.d.ts" }, "./package.json": "./x" },
  };
  const declared = {
    "package.json": JSON.stringify(manifest),
    "dist/index.d.ts":
      'export { type Options, start } from "./start.js";\nexport type { Clock } from "./ports/clock.js";',
    "dist/ports/clock.d.ts": "export interface Clock { now(): number }",
    "dist/start.d.ts": [
      'import type { Clock } from "./ports/clock.js";',
      'import type { Limits } from "./limits.js";',
      'import type { Server } from "node:http";',
      "/** What it takes. */",
      "export interface Options extends Limits { readonly clock: Clock; readonly server?: Server }",
      "export declare function start(options: Options): void;",
    ].join("\n"),
    "dist/limits.d.ts": "export interface Limits { readonly size: number }\nexport interface Unused {}",
    "dist/two.d.ts": 'export { start as begin } from "./start.js";\nexport type { Clock } from "@postrider/other";',
  };
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "api-report-"));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  async function pageOf(entry: string, changed: Readonly<Record<string, string>> = {}): Promise<string> {
    for (const [path, text] of Object.entries({ ...declared, ...changed })) {
      const file = join(root, "packages/one", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return (await apiPages(root)).get(`docs/api/${entry}.d.ts`) ?? "no page";
  }

  it("shows each exported declaration in full, wherever it is declared, by name and without comments", async () => {
    const page = await pageOf("one");
    expect(page).toContain(
      "export interface Clock {\n  now(): number;\n}\n\nexport interface Options extends Limits {",
    );
    expect(page).toContain("\nexport declare function start(options: Options): void;\n");
    expect(page).not.toContain("What it takes");
  });

  it("shows the types that exported ones refer to without exporting them, and no others", async () => {
    const [, inner] = (await pageOf("one")).split("// Not exported by name");
    expect(inner).toContain("\ninterface Limits {\n  readonly size: number;\n}\n");
    expect(inner).not.toContain("Unused");
  });

  it("names the declarations of other packages and of the platform, and does not show them", async () => {
    expect(await pageOf("one")).toContain('import type { Server } from "node:http";');
    expect(await pageOf("one.two")).toContain('export { Clock } from "@postrider/other";');
  });

  it("refers to an earlier entry of its package for declarations that this entry shows", async () => {
    expect(await pageOf("one.two")).toContain('export { start as begin } from "@postrider/one";');
  });

  it.each([
    ["a field of an exported type", { "dist/ports/clock.d.ts": "export interface Clock { now(): string }" }],
    ["a field of a type behind it", { "dist/limits.d.ts": "export interface Limits { readonly size: string }" }],
    ["an export that is gone", { "dist/index.d.ts": 'export { start } from "./start.js";' }],
  ])("changes with %s", async (_, changed) => {
    const before = await pageOf("one");
    expect(await pageOf("one", changed)).not.toBe(before);
  });

  it("does not change with a comment, the order of exports or a file's name", async () => {
    const before = await pageOf("one");
    const after = await pageOf("one", {
      "dist/index.d.ts": 'export { Clock } from "./ports/time.js";\nexport { start, type Options } from "./start.js";',
      "dist/ports/clock.d.ts": 'export { Clock } from "./time.js";',
      "dist/ports/time.d.ts": "/** The time. */\nexport interface Clock { now(): number }",
    });
    expect(after).toBe(before);
  });
});
