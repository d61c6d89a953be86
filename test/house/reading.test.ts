// Checks that every file can be understood quickly: by its name and its first lines.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENTRIES, filesUnder, PACKAGES, read, ROOT, sourcesOf, trackedFiles } from "./packages.js";
import { blank, placeAt } from "./places.js";
import { expectNone } from "./violations.js";

const EXPORT = /^export (type )?\{[^}]*\} from "(\.\.?|@postrider)\//;

const sources = PACKAGES.flatMap(({ folder }) => sourcesOf(folder));
const tests = filesUnder("test", ".ts");

describe("files", () => {
  it("have names in kebab-case", () => {
    const pattern = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/;
    const others = [...sources, ...tests].filter((path) => !pattern.test(basename(path)));
    expectNone(others.map((path) => `${path}: rename to kebab-case: ${kebabCase(basename(path))}`));
  });

  it("of packages begin with a comment of at most three lines", () => {
    const opening = /^(\/\/ .+\n){1,3}(\n|$)/;
    const others = sources.filter((path) => !opening.test(read(path)));
    expectNone(
      others.map(
        (path) => `${path}:1: begin with one to three lines of // that say what the file does, then an empty line`,
      ),
    );
  });

  it("in git contain no path of a developer's machine and no registry's host", () => {
    // Written in parts, so that this file does not match.
    const hosts = ["/" + "work/", "/" + "home/", "/" + "root/", "registry." + "npmjs"];
    // The registry that tests start is a program of that name; its lock file has no address.
    const registry = "verd" + "accio";
    const naming = trackedFiles()
      .filter((path) => existsSync(join(ROOT, path)))
      .flatMap((path) => {
        const text = read(path);
        const places = path.startsWith("test/programs/") ? hosts : [...hosts, registry];
        return places
          .filter((place) => text.includes(place))
          .map((place) => `${placeAt(path, text, text.indexOf(place))}: take "${place}" out`);
      });
    expectNone(naming);
  });
});

describe("every entry", () => {
  it.each(ENTRIES)("$specifier is written by hand: exports by name, and nothing else", ({ source: path }) => {
    const text = read(path);
    const statements = [...text.replace(/\/\/.*/g, blank).matchAll(/\S[^;]*;?/g)];
    const others = statements.filter(([statement]) => !EXPORT.test(statement));
    expect(statements).not.toEqual([]);
    expectNone(
      others.map(({ index }) => `${placeAt(path, text, index)}: write only \`export { name } from "./file.js";\` here`),
    );
  });
});

function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/[_ ]+/g, "-")
    .toLowerCase();
}
