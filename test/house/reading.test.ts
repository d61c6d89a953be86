// Checks that every file can be understood quickly: by its name, its first lines and its size.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder, PACKAGES, read, ROOT } from "./packages.js";

const sources = PACKAGES.flatMap(({ folder }) => filesUnder(`packages/${folder}/src`, ".ts"));
const tests = filesUnder("test", ".ts");
/** The source of each entry that a package.json names. */
const ENTRIES = PACKAGES.flatMap(({ folder, manifest }) =>
  Object.values(manifest.exports)
    .filter((target) => typeof target !== "string")
    .map(({ default: built = "" }) => `packages/${folder}/${built.replace("./dist/", "src/").replace(/js$/, "ts")}`),
);
const sizes = sources.map((path) => read(path).trimEnd().split("\n").length).sort((one, other) => one - other);

describe("files", () => {
  it("have names in kebab-case", () => {
    const pattern = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/;
    expect([...sources, ...tests].filter((path) => !pattern.test(basename(path)))).toEqual([]);
  });

  it("of packages begin with a comment of at most three lines", () => {
    const opening = /^(\/\/ .+\n){1,3}(\n|$)/;
    expect(sources.filter((path) => !opening.test(read(path)))).toEqual([]);
  });

  it("of packages are short: half of them under 60 lines, nine of ten under 120", () => {
    expect(sizes[Math.floor(sizes.length * 0.5)]).toBeLessThan(60);
    expect(sizes[Math.floor(sizes.length * 0.9)]).toBeLessThan(120);
  });

  it("in git contain no path of a developer's machine and no registry's host", () => {
    // Written in parts, so that this file does not match.
    const places = ["/" + "work/", "/" + "home/", "/" + "root/", "registry." + "npmjs", "verd" + "accio"];
    const hosts = places.filter((place) => place !== "verd" + "accio");
    const kept = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    const naming = kept.filter(
      (path) => existsSync(join(ROOT, path)) && places.some((place) => read(path).includes(place)),
    );
    // The registry that tests start is a program of that name; its lock file has no address.
    expect(naming.filter((path) => !path.startsWith("test/programs/"))).toEqual([]);
    expect(naming.filter((path) => hosts.some((host) => read(path).includes(host)))).toEqual([]);
  });
});

describe("every entry", () => {
  it.each(ENTRIES)("%s is written by hand: exports by name, and nothing else", (path) => {
    const statements = read(path)
      .replace(/\/\/.*\n/g, "")
      .split(/;\s*/)
      .filter((text) => text.trim() !== "");
    expect(statements).not.toEqual([]);
    expect(
      statements.filter((text) => !/^export (type )?\{[^}]*\} from "(\.\.?|@postrider)\//.test(text.trim())),
    ).toEqual([]);
  });
});
