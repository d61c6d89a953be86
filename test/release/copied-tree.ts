// A copy of this working tree in a separate repository, all committed, so that a test may release from it. Third parties are
// linked; our packages are those of the copy.

import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PACKAGES, ROOT } from "../house/packages.js";
import { run, type Ran } from "../house/stranger.js";

export interface CopiedTree {
  readonly root: string;
  /** Commits what has changed. */
  commit(): void;
  /** Adds text to a file, such as a line of source. */
  append(path: string, text: string): void;
  /** Runs `npm run release` with these words, and the npm settings in a file. */
  release(words: readonly string[], npmrc?: string): Promise<Ran>;
  remove(): void;
}

export function copyTree(): CopiedTree {
  const root = mkdtempSync(join(tmpdir(), "postrider-copied-"));
  for (const path of filesOfTheTree()) cpSync(join(ROOT, path), join(root, path));
  linkThirdParties(root);
  const git = (...words: readonly string[]): void => {
    const who = ["-c", "user.name=a test", "-c", "user.email=test@example.com"];
    execFileSync("git", [...who, ...words], { cwd: root, stdio: "ignore" });
  };
  const commit = (): void => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "a step");
  };
  git("init", "--quiet");
  commit();
  return {
    root,
    commit,
    append: (path, text) => {
      appendFileSync(join(root, path), text);
    },
    release: (words, npmrc) => {
      const env = npmrc === undefined ? process.env : { ...process.env, NPM_CONFIG_USERCONFIG: npmrc };
      return run("node", ["test/release/run.js", ...words], { cwd: root, env });
    },
    remove: () => {
      rmSync(root, { recursive: true });
    },
  };
}

/** What a release reads: our packages, the tools, the changelog and the files at the top level. */
const COPIED = /^(packages\/|test\/(release|house|kept)\/|docs\/(changelog\.md|openapi\.json)$|[^/]+$)/;

/** Those that git has, and those that it would take. */
function filesOfTheTree(): readonly string[] {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", words, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
  return listed.split("\n").filter((path) => COPIED.test(path) && existsSync(join(ROOT, path)));
}

function linkThirdParties(root: string): void {
  const ours = new Set(["@postrider", "postrider"]);
  linkEntries(join(ROOT, "node_modules"), join(root, "node_modules"), ours);
  for (const { folder, manifest } of PACKAGES) {
    link(join(root, "packages", folder), join(root, "node_modules", manifest.name));
    const nested = join(ROOT, "packages", folder, "node_modules");
    if (existsSync(nested)) linkEntries(nested, join(root, "packages", folder, "node_modules"), ours);
  }
}

function linkEntries(from: string, to: string, except: ReadonlySet<string>): void {
  for (const name of readdirSync(from)) if (!except.has(name)) link(join(from, name), join(to, name));
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
