// The arrows between packages are declared in three places: package.json, tsconfig and .dependency-cruiser.cjs. All three
// must be equal, the sources must use exactly these arrows, and a planted violation must be found.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesUnder, folderOf, PACKAGES, type Package, read, ROOT } from "./packages.js";
import { expectNone } from "./violations.js";

interface Rule {
  readonly name: string;
  readonly comment: string;
  readonly from: { readonly path?: string; readonly pathNot?: string | readonly string[] };
  readonly to: { readonly path?: string | readonly string[]; readonly pathNot?: string | readonly string[] };
}
interface Rules {
  readonly forbidden: readonly Rule[];
  readonly options: object;
}

const rules = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as Rules;
const folders = PACKAGES.map(({ folder }) => folder);

describe("the arrows", () => {
  it.each(PACKAGES)("of $folder are the same in its package.json, its tsconfig, the rules and the drawing", (one) => {
    const declared = declaredArrows(one);
    const allowed = folders.filter((other) => other !== one.folder && isAllowed(one.folder, other));
    const drawn = new RegExp(`^  ${one.folder} --> (.+)$`, "m").exec(read("docs/architecture.md"))?.[1];
    expectNone([
      ...differences(`packages/${one.folder}/tsconfig.json, references`, one.references, declared),
      ...differences(`.dependency-cruiser.cjs, the arrow of ${one.folder}`, allowed, declared),
      ...differences(`docs/architecture.md, the arrow of ${one.folder}`, drawn?.split(" & ") ?? [], declared),
    ]);
  });

  it.each(PACKAGES)("of $folder are those that its sources use, third parties included", (one) => {
    const { dependencies, optionalDependencies, peerDependencies } = one.manifest;
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    expectNone(differences(`packages/${one.folder}/package.json`, declared, importedPackages(one)));
  });

  it("have no cycle", () => {
    const others = folders.filter((folder) => allNeeded(folder).has(folder));
    expectNone(
      others.map((folder) => `packages/${folder}/package.json: is in a cycle: remove one of its dependencies`),
    );
  });

  it("bind our packages to one another at exactly their common version", () => {
    const { version } = PACKAGES[0]!.manifest;
    const others = PACKAGES.flatMap(({ folder, manifest }) => {
      const { dependencies, peerDependencies } = manifest;
      const ours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([name]) => folderOf(name));
      const wrong = [["version", manifest.version], ...ours].filter(([, range]) => range !== version);
      return wrong.map(([name]) => `packages/${folder}/package.json: write ${version} for ${name!}`);
    });
    expectNone(others);
  });

  it("are all built by the root's tsconfig", () => {
    const config = JSON.parse(read("tsconfig.json")) as { references: { path: string }[] };
    const built = config.references.map(({ path }) => path.replace("packages/", ""));
    expectNone(differences("tsconfig.json, references", built, folders));
  });

  it("each have a rule that says why", () => {
    const others = rules.forbidden.filter(({ comment }) => !/^[A-Z].{20,}\.$/.test(comment));
    expectNone(others.map(({ name }) => `.dependency-cruiser.cjs: write a comment of one sentence for ${name}`));
  });
});

// The planted violations: a file, its content, and the rule that must find it.
const PLANTED: readonly (readonly [what: string, file: string, code: string, rule: string])[] = [
  ["core knowing codec", "core/src/a.ts", 'export { x } from "@postrider/codec";', "core-knows-no-other"],
  ["a type of memory in core", "core/src/a.ts", 'export type { x } from "@postrider/memory";', "core-knows-no-other"],
  ["relay knowing a store", "relay/src/a.ts", 'export { x } from "@postrider/sqlite";', "relay-knows-only-core-codec"],
  ["relay knowing it late", "relay/src/a.ts", 'await import("@postrider/undici");', "relay-knows-only-core-codec"],
  ["a front in the HTTP kit", "http/src/a.ts", 'import "@postrider/ingest";', "http-knows-only-core"],
  ["one front in the other", "api/src/a.ts", 'import "@postrider/ingest";', "api-knows-only-core-codec-relay-http"],
  ["the program in ingest", "ingest/src/a.ts", 'import "postrider";', "ingest-knows-only-core-codec-relay-http"],
  ["an adapter knowing another", "sqlite/src/a.ts", 'import "@postrider/memory";', "sqlite-knows-only-core"],
  ["code of the relay in telemetry", "telemetry/src/a.ts", 'import "@postrider/relay";', "only-types-in-telemetry"],
  ["a way round by a path", "relay/src/a.ts", 'import "../../memory/src/index.js";', "relay-knows-only-core-codec"],
  ["the inside of a package", "relay/src/a.ts", 'import "../../core/src/index.js";', "no-deep-import"],
  ["io-ts outside codec", "relay/src/a.ts", 'import "io-ts";', "io-ts-and-fp-ts-only-in-codec"],
  ["fp-ts outside codec", "ingest/src/a.ts", 'import "fp-ts/lib/Either.js";', "io-ts-and-fp-ts-only-in-codec"],
  [
    "neverthrow outside relay and client",
    "ingest/src/a.ts",
    'import type { x } from "neverthrow";',
    "neverthrow-only-in-relay-client",
  ],
  ["undici outside undici", "fetch/src/a.ts", 'import "undici";', "undici-and-ipaddr.js-only-in-undici"],
  [
    "a driver in sqlite",
    "sqlite/src/a.ts",
    'import "@photostructure/sqlite";',
    "photostructuresqlite-only-in-sqlite-file",
  ],
  ["the simulator at the start", "postrider/src/a.ts", 'import "@postrider/simulator";', "simulator-only-when-asked"],
  ["commander outside the program", "api/src/a.ts", 'import "commander";', "commander-only-in-postrider"],
  ["commander in the server", "postrider/src/server/a.ts", 'import "commander";', "commander-only-in-the-command-line"],
  [
    "the command line in the server",
    "postrider/src/server/a.ts",
    'import "../cli/a.js";',
    "postrider-server-knows-only-assembly-config-log-metrics-timing",
  ],
  [
    "the server in what is embedded",
    "postrider/src/embed/a.ts",
    'import "../server/a.js";',
    "postrider-embed-knows-only-assembly-config-log-metrics-timing",
  ],
  [
    "the server in the assembly",
    "postrider/src/assembly/a.ts",
    'import "../server/a.js";',
    "postrider-assembly-knows-only-config-log-metrics-timing",
  ],
  [
    "the command line in the config",
    "postrider/src/config/a.ts",
    'import "../cli/a.js";',
    "postrider-config-knows-only-timing",
  ],
  [
    "the server in the config",
    "postrider/src/config/a.ts",
    'import "../server/a.js";',
    "postrider-config-knows-only-timing",
  ],
  [
    "the assembly in the metrics",
    "postrider/src/metrics/a.ts",
    'import "../assembly/a.js";',
    "postrider-metrics-knows-only-timing",
  ],
  ["the config in the log", "postrider/src/log/a.ts", 'import "../config/a.js";', "postrider-log-knows-nothing"],
  ["the log in the timing", "postrider/src/timing/a.ts", 'import "../log/a.js";', "postrider-timing-knows-nothing"],
  [
    "the command line behind the entry",
    "postrider/src/index.ts",
    'import "./cli/a.js";',
    "postrider-entry-knows-no-command-line",
  ],
  ["node in a portable package", "memory/src/a.ts", 'import "node:fs";', "portable-packages-know-no-runtime"],
  ["node:crypto anywhere in core", "core/src/a.ts", 'import "node:crypto";', "portable-packages-know-no-runtime"],
  ["a tool", "undici/src/a.ts", 'import "vitest";', "no-undeclared-dependency"],
  ["what is not there", "undici/src/a.ts", 'import "no-such-package";', "no-unknown-module"],
  ["a circle of two files", "core/src/a.ts", 'import "./index.js";', "no-cycle"],
  ["a file that no entry reaches", "core/src/dead.ts", "export {};", "no-dead-file"],
];

const house = mkdtempSync(join(tmpdir(), "postrider-arrows-"));
afterAll(() => {
  rmSync(house, { recursive: true });
});

describe("a planted violation", () => {
  const planted = PLANTED.map(([, file], index) => file.replace("/a.ts", `/a${String(index)}.ts`));
  let broken: readonly string[];

  beforeAll(async () => {
    buildHouse();
    expect(await brokenRules()).toEqual([]);
    for (const [index, file] of planted.entries()) plant(file, PLANTED[index]![2]);
    broken = await brokenRules();
  });

  it.each(PLANTED.map(([what, , , rule], index) => [what, `packages/${planted[index]!}: ${rule}`]))(
    "is found: %s",
    (_, violation) => {
      expect(broken).toContain(violation);
    },
  );
});

/** Empty packages with our manifests: each has an index that imports a file. */
function buildHouse(): void {
  for (const { folder, manifest } of PACKAGES) {
    const home = join(house, "packages", folder);
    mkdirSync(join(home, "src"), { recursive: true });
    mkdirSync(join(home, "dist"));
    cpSync(join(ROOT, "packages", folder, "package.json"), join(home, "package.json"));
    writeFileSync(join(home, "dist", "index.js"), "export {};");
    writeFileSync(join(home, "src", "index.ts"), 'import "./a.js";');
    writeFileSync(join(home, "src", "a.ts"), "export {};");
    link(manifest.name, home);
  }
  buildParts();
  cpSync(join(ROOT, "package.json"), join(house, "package.json"));
  for (const name of ["io-ts", "fp-ts", "neverthrow", "undici", "@photostructure/sqlite", "commander", "vitest"]) {
    link(name, join(ROOT, "node_modules", name));
  }
}

/** Writes a file that the index of its package imports, or adds to a file that is there. A dead file is not imported. */
function plant(file: string, code: string): void {
  const path = join(house, "packages", file);
  const isNew = !existsSync(path);
  appendFileSync(path, code);
  if (!isNew || file.endsWith("/dead.ts")) return;
  const [folder = "", inner = ""] = file.split("/src/");
  appendFileSync(join(house, "packages", folder, "src/index.ts"), `\nimport "./${inner.replace(/ts$/, "js")}";`);
}

/** The parts of postrider, an empty file each, behind its two entries. */
function buildParts(): void {
  const sources = join(house, "packages", "postrider", "src");
  const behindIndex = ["assembly", "config", "embed", "log", "metrics", "server", "timing"];
  for (const part of [...behindIndex, "cli"]) {
    mkdirSync(join(sources, part));
    writeFileSync(join(sources, part, "a.ts"), "export {};");
  }
  writeFileSync(
    join(sources, "index.ts"),
    ["", ...behindIndex].map((part) => `import "./${join(part, "a.js")}";`).join("\n"),
  );
  writeFileSync(join(sources, "cli.ts"), 'import "./cli/a.js";');
}

function link(name: string, target: string): void {
  const path = join(house, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

async function brokenRules(): Promise<readonly string[]> {
  const { output } = await cruise(["packages"], {
    ...rules.options,
    baseDir: house,
    validate: true,
    ruleSet: { forbidden: rules.forbidden.map((rule) => ({ ...rule })) } as never,
  });
  return (output as ICruiseResult).summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
}

/** The entries that a place has and should not have, and those that it lacks. */
function differences(place: string, present: readonly string[], wanted: readonly string[]): readonly string[] {
  return [
    ...wanted.filter((name) => !present.includes(name)).map((name) => `${place}: add ${name}`),
    ...present.filter((name) => !wanted.includes(name)).map((name) => `${place}: remove ${name}`),
  ];
}

function declaredArrows({ manifest }: Package): readonly string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    .map(folderOf)
    .filter((folder) => folder !== undefined)
    .sort();
}

/** The packages that a package needs, itself or through others. */
function allNeeded(folder: string): ReadonlySet<string> {
  const arrowsOf = (one: string): readonly string[] => declaredArrows(PACKAGES.find((other) => other.folder === one)!);
  const needed = new Set(arrowsOf(folder));
  for (const one of needed) arrowsOf(one).forEach((other) => needed.add(other));
  return needed;
}

/** Whether every rule about packages lets `from` import `to`. */
function isAllowed(from: string, to: string): boolean {
  return rules.forbidden
    .filter((rule) => rule.name.startsWith(`${from}-knows-`))
    .every((rule) => !matches(rule.to.path, `packages/${to}/`) || matches(rule.to.pathNot, `packages/${to}/`));
}

function matches(patterns: string | readonly string[] = [], path: string): boolean {
  return [patterns].flat().some((pattern) => new RegExp(pattern).test(path));
}

/** The function from `createRequire` is called `load` here. */
const LOADED = /\bload\("([^"]+)"\)/g;

/** The packages that a package's sources import, without the package itself and the runtime's modules. */
function importedPackages({ folder }: Package): readonly string[] {
  const specifiers = filesUnder(`packages/${folder}/src`, ".ts").flatMap((path) => {
    const text = read(path);
    const imported = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
    return [...imported, ...[...text.matchAll(LOADED)].map(([, specifier]) => specifier!)];
  });
  const names = specifiers
    // What begins with # is of the package itself.
    .filter((specifier) => !/^([.#]|node:)/.test(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]);
  return [...new Set(names)].sort();
}
