// A copy of the build, with or without a planted bug, in a separate folder, so that the build is never changed.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Edit } from "./planted-bugs.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = ["core", "relay", "memory", "simulator"];
const THIRD_PARTIES = ["neverthrow", "io-ts", "fp-ts"];

export interface Copy {
  /** The program that plays on this copy. */
  readonly program: string;
  remove(): void;
}

/** Copies `dist` and applies the edits. Throws if one does not fit. `name` is one of `programs`. */
export function plant(edits: readonly Edit[], name = "play-seeds.js"): Copy {
  const folder = mkdtempSync(join(tmpdir(), "postrider-planted-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@postrider"), { recursive: true });
  for (const workspace of PACKAGES) {
    for (const part of ["package.json", "dist"]) {
      const source = join(ROOT, "packages", workspace, part);
      cpSync(source, join(modules, "@postrider", workspace, part), { recursive: true });
    }
  }
  for (const party of THIRD_PARTIES) symlinkSync(join(ROOT, "node_modules", party), join(modules, party));
  for (const edit of edits) apply(join(modules, "@postrider"), edit);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const program = join(folder, name);
  cpSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), program);
  return { program, remove: () => rmSync(folder, { recursive: true }) };
}

/** Checks that an edit fits the build; throws if it does not. */
export function tryEdit(edit: Edit): void {
  edited(readFileSync(join(ROOT, "packages", edit.file), "utf8"), edit);
}

function apply(packages: string, edit: Edit): void {
  const path = join(packages, edit.file);
  writeFileSync(path, edited(readFileSync(path, "utf8"), edit));
}

function edited(text: string, { file, from, to }: Edit): string {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} holds what is to be edited ${found} times, not once: ${from}`);
  return text.replace(from, () => to);
}
