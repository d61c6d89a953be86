// The grain of the house (decision: grain): a helper has a separate file if two files use it, or if its reader would be too long with
// it; a file that one other file reads, or of a few lines, is one more to open.

import { dirname, join, normalize } from "node:path";
import { describe, it } from "vitest";
import { ENTRIES, PACKAGES, read, sourcesOf } from "./packages.js";
import { expectNone } from "./violations.js";

/** The largest shares of files that one other file reads, and of files that are short. */
const MOST_READ_BY_ONE = 0.3;
const MOST_SHORT = 0.05;
const SHORT_LINES = 25;
/** The length of a file together with what is laid into it. */
const LONGEST_LINES = 250;

const entries = new Set(ENTRIES.map(({ source }) => source));
const files = PACKAGES.flatMap(({ folder }) => sourcesOf(folder));
const lines = new Map(files.map((path) => [path, read(path).trimEnd().split("\n").length]));
const readers = readersOf(files);
const rooms = files.filter((path) => !isIndex(path));

describe("files of packages", () => {
  it("are seldom read by one other file alone", () => {
    const lonely = rooms.flatMap((path) => {
      const [reader, ...others] = [...(readers.get(path) ?? [])];
      return reader === undefined || others.length > 0 || isIndex(reader) ? [] : [{ path, reader }];
    });
    const fitting = lonely.filter(({ path, reader }) => lines.get(path)! + lines.get(reader)! <= LONGEST_LINES);
    expectAtMost(
      MOST_READ_BY_ONE,
      lonely.length,
      fitting.map(({ path, reader }) => `${path}: lay it into its one reader, ${reader}`),
    );
  });

  it("seldom have fewer than 25 lines", () => {
    const short = rooms.filter((path) => lines.get(path)! < SHORT_LINES);
    expectAtMost(
      MOST_SHORT,
      short.length,
      short.map((path) => `${path} has ${String(lines.get(path))} lines: lay it into a file of its subject`),
    );
  });
});

function expectAtMost(share: number, count: number, remedies: readonly string[]): void {
  if (count <= share * rooms.length) return;
  expectNone([`${String(count)} of ${String(rooms.length)} files are; ${String(share)} of them may be`, ...remedies]);
}

/** The files that import each file or hand it on. */
function readersOf(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const path of paths) {
    for (const [, specifier] of read(path).matchAll(/(?:from|import) "(\.[^"]+)"/g)) {
      const target = normalize(join(dirname(path), specifier!)).replace(/\.js$/, "");
      (found.get(`${target}.ts`) ?? found.get(`${target}.tsx`))?.add(path);
    }
  }
  return found;
}

function isIndex(path: string): boolean {
  return entries.has(path) || /\/index\.tsx?$/.test(path);
}
