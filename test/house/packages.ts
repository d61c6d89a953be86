// The packages, for the tests of the repository: read from the disk, so that a new package is always included.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Package {
  /** The folder under packages/. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The folders with a tsconfig, each relative to the root: the package, and what in it has other types of the platform. */
  readonly projects: readonly string[];
  /** Folders of the other packages that these refer to. */
  readonly references: readonly string[];
}

export const PACKAGES: readonly Package[] = readdirSync(join(ROOT, "packages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => readPackage(entry.name));

/** Folders that have a separate entry and separate arrows, as a package has. */
const ROOMS = ["relay/settings", "relay/metrics", "relay/trace", "http/ingest", "http/api", "sqlite/file-store"];

/** The packages, each without such folders, and these folders: `relay`, `relay/settings`. */
export const UNITS: readonly string[] = [...PACKAGES.map(({ folder }) => folder), ...ROOMS];

/** The unit of a file that is under packages/. */
export function unitOf(path: string): string {
  const [, folder = "", , inner = ""] = path.split("/");
  return ROOMS.includes(`${folder}/${inner}`) ? `${folder}/${inner}` : folder;
}

export interface Entry {
  /** `@postrider/core/engine`. */
  readonly specifier: string;
  /** The source, and what is built of it for compilers. */
  readonly source: string;
  readonly types: string;
}

/** What programs import of our packages. */
export const ENTRIES: readonly Entry[] = PACKAGES.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    const types = join("packages", folder, target["types"]!);
    const source = types.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts");
    return [{ specifier: path.replace(".", manifest.name), source, types }];
  }),
);

/** The folder of one of our packages by its name; undefined for a third party's. */
export function folderOf(name: string): string | undefined {
  return PACKAGES.find(({ manifest }) => manifest.name === name)?.folder;
}

/** The third-party packages that our packages need, each once. */
export function thirdParties(): readonly string[] {
  const names = PACKAGES.flatMap(({ manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }),
  );
  return [...new Set(names.filter((name) => folderOf(name) === undefined))];
}

/** The packages that an install of one of our packages brings: itself, its dependencies, and their third parties. */
export function installedWith(name: string): readonly string[] {
  const needed = new Set([name]);
  for (const one of needed) {
    const manifest = PACKAGES.find((other) => other.manifest.name === one)?.manifest;
    if (manifest !== undefined) neededBy(manifest).forEach((other) => needed.add(other));
  }
  return [...needed];
}

/** npm also installs peers, except for optional ones. */
function neededBy(manifest: Manifest): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** All files under `folder` whose name ends in `suffix`, relative to the root, without dist and node_modules. */
export function filesUnder(folder: string, suffix: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(suffix) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(folder, path))
    .sort();
}

/** The sources of a package, those of its page too, without declarations that are written by hand. */
export function sourcesOf(folder: string): readonly string[] {
  const all = [".ts", ".tsx"].flatMap((suffix) => filesUnder(`packages/${folder}`, suffix));
  return all.filter((path) => /^packages\/[^/]+\/(src|page)\//.test(path) && !path.endsWith(".d.ts"));
}

/** All files that are in git, relative to the root. */
export function trackedFiles(): readonly string[] {
  return execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function readPackage(folder: string): Package {
  const manifest = JSON.parse(read(`packages/${folder}/package.json`)) as Manifest;
  const inner = readdirSync(join(ROOT, `packages/${folder}/src`)).map((name) => `packages/${folder}/src/${name}`);
  const isProject = (path: string): boolean => existsSync(join(ROOT, path, "tsconfig.json"));
  const projects = [`packages/${folder}`, ...inner.filter(isProject)];
  const references = projects.flatMap(referencesOf).map((path) => path.split("/")[1]!);
  return { folder, manifest, projects, references: [...new Set(references)].filter((other) => other !== folder) };
}

/** The folders that a project refers to, relative to the root. */
function referencesOf(project: string): readonly string[] {
  const { references } = JSON.parse(read(`${project}/tsconfig.json`)) as { references: { path: string }[] };
  return references.map(({ path }) => normalize(join(project, path)));
}
