// A stranger: an empty folder with nothing of this repository except the tarballs that npm would publish. Third parties are
// linked from our node_modules, since tests cannot fetch packages; npm itself installs the tarballs.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { PACKAGES, ROOT } from "./packages.js";
import "./pack-once.js";

const exec = promisify(execFile);
const bin = (tool: string): string => join(ROOT, "node_modules", tool);

export interface Tarballs {
  /** The path of each package's tarball, by its name. */
  readonly paths: ReadonlyMap<string, string>;
  /** The files in each tarball, by its name. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Stranger {
  readonly folder: string;
  write(path: string, text: string): void;
  /** Removes a linked third party again. */
  unlink(name: string): void;
  /** Compiles the folder with its tsconfig. */
  compile(): Promise<Ran>;
  /** Runs a file in plain Node: no loader, no flag. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs a third party's command, such as `vitest/vitest.mjs`. */
  runTool(tool: string, ...args: readonly string[]): Promise<Ran>;
  remove(): void;
}

/** The tarballs that were packed before the run. */
export function packedOnce(): Tarballs {
  const packed = inject("packed");
  return {
    paths: new Map(packed.map(({ name, path }) => [name, path])),
    files: new Map(packed.map(({ name, files }) => [name, files])),
  };
}

/**
 * An empty folder with `packages` installed by npm from their tarballs, and with `thirdParties` linked. It has no other
 * packages.
 */
export async function createStranger(
  tarballs: Tarballs,
  packages: readonly string[],
  thirdParties: readonly string[],
): Promise<Stranger> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-stranger-"));
  for (const name of thirdParties) link(folder, name);
  const ours = packages.map((name) => [name, `file:${tarballs.paths.get(name)!}`]);
  // Named as dependencies, since npm would otherwise remove the links.
  const linked = thirdParties.map((name) => [name, "*"]);
  const dependencies = Object.fromEntries([...ours, ...linked]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  // npm passes its settings to the processes that it runs; a stranger's npm has none of them. Scripts are not run, since
  // they would run inside the linked third parties, that is, in our node_modules.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
  await exec("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, env });
  const runNode = (args: readonly string[]): Promise<Ran> => run("node", args, { cwd: folder });
  return {
    folder,
    write: (path, text) => {
      writeFileSync(join(folder, path), text);
    },
    unlink: (name) => {
      rmSync(join(folder, "node_modules", name));
    },
    compile: () => runNode([bin("typescript/bin/tsc"), "-p", "."]),
    run: (...args) => runNode(args),
    runTool: (tool, ...args) => runNode([bin(tool), ...args]),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Copies a program of this repository into the stranger's folder. */
export function moveIn(stranger: Stranger, program: string): void {
  cpSync(join(ROOT, program), stranger.folder, { recursive: true });
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A program that keeps running gets a signal to end a short time after this is true. */
  readonly endsAfter?: () => boolean;
}

const STAYS_UP_MS = 1_000;

/** Runs a program to its end, whatever its exit code. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { endsAfter = (): boolean => false, ...where } = options;
  const running = exec(program, args, { ...where, maxBuffer: 2 ** 26 });
  const timer = setInterval(() => {
    if (!endsAfter()) return;
    clearInterval(timer);
    setTimeout(() => running.child.kill("SIGTERM"), STAYS_UP_MS);
  }, 50);
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ran;
    return { code, stdout, stderr };
  } finally {
    clearInterval(timer);
  }
}

function link(folder: string, name: string): void {
  const path = join(folder, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(placeOf(name), path);
}

/** Where npm has installed the version that our packages need: in one of them if a tool needs another version. */
function placeOf(name: string): string {
  const own = PACKAGES.map(({ folder }) => join(ROOT, "packages", folder, "node_modules", name));
  return own.find((path) => existsSync(path)) ?? join(ROOT, "node_modules", name);
}
