// The arrows between packages are declared in three places: package.json, tsconfig and .dependency-cruiser.cjs. All three
// must be equal, the sources must use exactly these arrows, and a planted violation must be found. A unit is a package, or a folder
// with a separate entry and separate arrows.

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
import { dirname, join, normalize } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENTRIES, filesUnder, folderOf, PACKAGES, type Package, read, ROOT, unitOf, UNITS } from "./packages.js";
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
  it.each(PACKAGES)("of $folder are the same in its package.json, its tsconfig and the rules", (one) => {
    const declared = declaredArrows(one);
    const units = UNITS.filter((unit) => unit.split("/")[0] === one.folder).flatMap(allowedArrows);
    const allowed = new Set(units.map((unit) => unit.split("/")[0]!).filter((folder) => folder !== one.folder));
    expectNone([
      ...differences(`packages/${one.folder}/tsconfig.json, references`, one.references, declared),
      ...differences(`.dependency-cruiser.cjs, the arrow of ${one.folder}`, [...allowed], declared),
    ]);
  });

  it.each(PACKAGES)("of $folder are those that its sources use, third parties included", (one) => {
    const { dependencies, optionalDependencies, peerDependencies } = one.manifest;
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const own = declared.filter((name) => !isBroughtForAnother(one, name));
    expectNone(differences(`packages/${one.folder}/package.json`, own, importedPackages(one)));
  });

  it.each(UNITS)("of %s are the same in the rules and the drawing, and are those that its sources use", (unit) => {
    const allowed = allowedArrows(unit);
    const drawn = new RegExp(`^  ${unit} --> (.+)$`, "m").exec(read("docs/architecture.md"))?.[1];
    expectNone([
      ...differences(`.dependency-cruiser.cjs, the arrow of ${unit}`, allowed, importedUnits(unit)),
      ...differences(`docs/architecture.md, the arrow of ${unit}`, drawn?.split(" & ") ?? [], allowed),
    ]);
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
    const built = config.references.map(({ path }) => path);
    const projects = PACKAGES.flatMap((one) => one.projects);
    expectNone(differences("tsconfig.json, references", built, projects));
  });

  it("each have a rule that says why", () => {
    const others = rules.forbidden.filter(({ comment }) => !/^[A-Z].{20,}\.$/.test(comment));
    expectNone(others.map(({ name }) => `.dependency-cruiser.cjs: write a comment of one sentence for ${name}`));
  });
});

const OVER_RELAY = "knows-only-core-relay/settings-relay-http";

// The planted violations: a file, its content, and the rule that must find it.
const PLANTED: readonly (readonly [what: string, file: string, code: string, rule: string])[] = [
  ["core knowing settings", "core/src/a.ts", 'export { x } from "@postrider/relay/settings";', "core-knows-no-other"],
  ["a type of memory in core", "core/src/a.ts", 'export type { x } from "@postrider/memory";', "core-knows-no-other"],
  [
    "relay knowing a store",
    "relay/src/a.ts",
    'export { x } from "@postrider/sqlite";',
    "relay-knows-only-core-relay/settings",
  ],
  [
    "relay knowing it late",
    "relay/src/a.ts",
    'await import("@postrider/undici");',
    "relay-knows-only-core-relay/settings",
  ],
  ["a front in the HTTP kit", "http/src/a.ts", 'import "@postrider/http/ingest";', "http-knows-only-core"],
  ["one front in the other", "http/src/api/a.ts", 'import "../ingest/index.js";', `http/api-${OVER_RELAY}`],
  ["the program in ingest", "http/src/ingest/a.ts", 'import "postrider";', `http/ingest-${OVER_RELAY}`],
  ["the relay in the HTTP kit", "http/src/a.ts", 'import "@postrider/relay";', "http-knows-only-core"],
  ["metrics in the relay", "relay/src/a.ts", 'import "./metrics/index.js";', "relay-knows-only-core-relay/settings"],
  ["the relay in its traces", "relay/src/trace/a.ts", 'import "../index.js";', "relay/trace-knows-only-core"],
  ["metrics in a front", "http/src/api/a.ts", 'import "@postrider/relay/metrics";', `http/api-${OVER_RELAY}`],
  ["a file in the store", "sqlite/src/a.ts", 'import "./file-store/index.js";', "sqlite-knows-only-core"],
  ["the inside of a folder", "relay/src/a.ts", 'import "./settings/a.js";', "relay/settings-by-its-entry"],
  ["the inside around a folder", "http/src/api/a.ts", 'import "../a.js";', "http/api-by-entries-of-others"],
  ["an adapter knowing another", "sqlite/src/a.ts", 'import "@postrider/memory";', "sqlite-knows-only-core"],
  ["code of the relay in metrics", "relay/src/metrics/a.ts", 'import "../index.js";', "only-types-in-metrics"],
  [
    "a way round by a path",
    "relay/src/a.ts",
    'import "../../memory/src/index.js";',
    "relay-knows-only-core-relay/settings",
  ],
  ["the inside of a package", "relay/src/a.ts", 'import "../../core/src/index.js";', "no-deep-import"],
  ["io-ts outside settings", "relay/src/a.ts", 'import "io-ts";', "io-ts-and-fp-ts-only-in-relay/settings"],
  [
    "fp-ts outside settings",
    "http/src/ingest/a.ts",
    'import "fp-ts/lib/Either.js";',
    "io-ts-and-fp-ts-only-in-relay/settings",
  ],
  [
    "neverthrow outside relay and client",
    "http/src/ingest/a.ts",
    'import type { x } from "neverthrow";',
    "neverthrow-only-in-relay-client",
  ],
  ["undici outside undici", "fetch/src/a.ts", 'import "undici";', "undici-and-ipaddr.js-only-in-undici"],
  [
    "a driver in sqlite",
    "sqlite/src/a.ts",
    'import "@photostructure/sqlite";',
    "photostructuresqlite-only-in-sqlite/file-store",
  ],
  ["the simulator at the start", "postrider/src/a.ts", 'import "@postrider/simulator";', "simulator-only-when-asked"],
  ["commander outside the program", "http/src/api/a.ts", 'import "commander";', "commander-only-in-postrider"],
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
  ["node in a portable folder", "relay/src/metrics/a.ts", 'import "node:fs";', "portable-packages-know-no-runtime"],
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

/** Empty packages with our manifests: each has an index that imports a file, and so has each folder with an entry. */
function buildHouse(): void {
  for (const { folder, manifest } of PACKAGES) {
    const home = join(house, "packages", folder);
    mkdirSync(home, { recursive: true });
    cpSync(join(ROOT, "packages", folder, "package.json"), join(home, "package.json"));
    link(manifest.name, home);
  }
  for (const unit of UNITS) {
    const [folder = "", inner = ""] = unit.split("/");
    const [sources, built] = ["src", "dist"].map((name) => join(house, "packages", folder, name, inner));
    mkdirSync(sources!, { recursive: true });
    mkdirSync(built!, { recursive: true });
    writeFileSync(join(built!, "index.js"), "export {};");
    writeFileSync(join(sources!, "index.ts"), 'import "./a.js";');
    writeFileSync(join(sources!, "a.ts"), "export {};");
  }
  buildParts();
  cpSync(join(ROOT, "package.json"), join(house, "package.json"));
  for (const name of ["io-ts", "fp-ts", "neverthrow", "undici", "@photostructure/sqlite", "commander", "vitest"]) {
    link(name, join(ROOT, "node_modules", name));
  }
}

/** Writes a file that the index of its package or folder imports, or adds to a file that is there. A dead file is not imported. */
function plant(file: string, code: string): void {
  const path = join(house, "packages", file);
  const isNew = !existsSync(path);
  appendFileSync(path, code);
  if (!isNew || file.endsWith("/dead.ts")) return;
  const unit = unitOf(`packages/${file}`);
  const home = file
    .split("/")
    .slice(0, unit.includes("/") ? 3 : 2)
    .join("/");
  const inner = file.slice(home.length + 1).replace(/ts$/, "js");
  appendFileSync(join(house, "packages", home, "index.ts"), `\nimport "./${inner}";`);
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

/** True if `name` is optional for a dependency of the package, which has it for that dependency alone. */
function isBroughtForAnother({ manifest }: Package, name: string): boolean {
  const { dependencies = {}, optionalDependencies = {} } = manifest;
  const ours = PACKAGES.filter((other) => other.manifest.name in dependencies);
  return (
    name in optionalDependencies && ours.some((other) => other.manifest.peerDependenciesMeta?.[name]?.optional === true)
  );
}

/** The other units that every rule about its arrows lets a unit import. */
function allowedArrows(unit: string): readonly string[] {
  const ofUnit = rules.forbidden.filter((rule) => rule.name.startsWith(`${unit}-knows-`));
  expect(ofUnit, unit).not.toHaveLength(0);
  return UNITS.filter((other) => other !== unit).filter((other) => {
    const path = `packages/${other.replace("/", "/dist/")}/`;
    return ofUnit.every((rule) => !matches(rule.to.path, path) || matches(rule.to.pathNot, path));
  });
}

/** The other units that a unit's sources import, by the names of their entries or by a path. */
function importedUnits(unit: string): readonly string[] {
  const sources = filesUnder(`packages/${unit.split("/")[0]!}/src`, ".ts").filter((path) => unitOf(path) === unit);
  const imported = sources.flatMap((path) =>
    specifiersIn(path).flatMap((specifier) => {
      if (specifier.startsWith(".")) return [unitOf(normalize(join(dirname(path), specifier)))];
      return ENTRIES.filter((entry) => entry.specifier === specifier).map((entry) => unitOf(entry.source));
    }),
  );
  return [...new Set(imported)].filter((other) => other !== unit).sort();
}

function matches(patterns: string | readonly string[] = [], path: string): boolean {
  return [patterns].flat().some((pattern) => new RegExp(pattern).test(path));
}

/** The function from `createRequire` is called `load` here. */
const LOADED = /\bload\("([^"]+)"\)/g;

/** The packages that a package's sources import, without the package itself and the runtime's modules. */
function importedPackages({ folder }: Package): readonly string[] {
  const specifiers = filesUnder(`packages/${folder}/src`, ".ts").flatMap(specifiersIn);
  const names = specifiers
    // What begins with # is of the package itself.
    .filter((specifier) => !/^([.#]|node:)/.test(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]);
  return [...new Set(names)].sort();
}

function specifiersIn(path: string): readonly string[] {
  const text = read(path);
  const imported = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  return [...imported, ...[...text.matchAll(LOADED)].map(([, specifier]) => specifier!)];
}
