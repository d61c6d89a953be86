// Packs every package as `npm publish` would, once before all tests of installed packages.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../build.js";
import { ROOT } from "./packages.js";

/** A package as it would be published. */
export interface Packed {
  readonly name: string;
  /** The tarball. */
  readonly path: string;
  /** The files in the tarball. */
  readonly files: readonly string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    packed: readonly Packed[];
  }
}

/** Vitest calls it before the run, and the returned function after the run. */
export function setup(project: TestProject): () => void {
  // The setup of a project runs before that of the whole run, which builds too.
  build();
  const folder = mkdtempSync(join(tmpdir(), "postrider-tarballs-"));
  const words = ["pack", "--workspaces", "--json", "--pack-destination", folder];
  const listing = execFileSync("npm", words, { cwd: ROOT, maxBuffer: 2 ** 26, encoding: "utf8" });
  const packed = JSON.parse(listing) as { name: string; filename: string; files: { path: string }[] }[];
  project.provide(
    "packed",
    packed.map(({ name, filename, files }) => ({
      name,
      path: join(folder, filename),
      files: files.map(({ path }) => path),
    })),
  );
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
