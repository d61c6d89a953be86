// docs/renames.md leads from old names to present ones. The comparison with the base needs the history of git and is done by
// `node test/house/write-renames.js`. Here its rows are compared with the sources, and the comparison is tested on samples.

import { describe, expect, it } from "vitest";
import { read } from "./packages.js";
import { brokenIn, presentNames, renamesPage, rowsOf } from "./renames.js";
import { compare, type Entry, type Known } from "./write-renames.js";
import { expectNone } from "./violations.js";

const RUN = "add or mend the rows of docs/renames.md, and run `node test/house/write-renames.js`";

const page = read("docs/renames.md");
const rows = rowsOf(page);
const kept = JSON.parse(read("test/house/renames.json")) as {
  readonly base: string;
  readonly rows: readonly (readonly string[])[];
  readonly commands: readonly (readonly string[])[];
};

describe("docs/renames.md", () => {
  it("leads to names and files that exist", () => {
    const surface = presentNames();
    const broken = rows.flatMap((row) => brokenIn(row, surface));
    expectNone(broken.map((row) => `docs/renames.md: ${row}: ${RUN}`));
  });

  it("has every row that was written by hand, and is sorted", () => {
    const lines = rows.map(({ cells }) => cells.join(" | "));
    const written = [...kept.rows, ...kept.commands].map((cells) => cells.join(" | "));
    const missing = written.filter((line) => !lines.includes(line));
    expectNone(missing.map((line) => `docs/renames.md: the row "${line}" is missing: ${RUN}`));
    const sections = ["imports", "names", "files", "others", "commands"].map((name) => [
      name,
      rows.filter(({ section }) => section === name).map(({ cells }) => cells),
    ]);
    expect(page, RUN).toBe(renamesPage(kept.base, Object.fromEntries(sections)));
  });
});

describe("a row", () => {
  const surface = new Set(["start"]);

  it.each([
    ["a name that is gone", "names", ["relay", "`begin`", "`launch`"], 1],
    ["a name that is there", "names", ["relay", "`begin`", "`start`, which also waits"], 0],
    ["a file that is gone", "files", ["relay", "`a.ts`", "`no-such-file.ts`"], 1],
    ["a file that is there", "files", ["relay", "`a.ts`", "`index.ts`"], 0],
    ["a file of a test that is there", "files", ["tests", "`a.ts`", "`house/packages.ts`"], 0],
    ["a reason why something was removed", "names", ["relay", "`begin`", "removed: see `launch`"], 0],
    ["a member, which is not looked for", "others", ["relay", "lanes' `begin`", "`launch`"], 0],
  ])("with %s", (_, section, cells, problems) => {
    expect(brokenIn({ section, cells }, surface)).toHaveLength(problems);
  });
});

describe("the comparison with the base", () => {
  const nothing = new Map<string, Entry>();

  function compared(known: Partial<Known>) {
    return compare({
      texts: new Map(),
      present: new Map(),
      moved: new Map(),
      rows: [],
      entriesThen: nothing,
      entriesNow: nothing,
      ...known,
    });
  }

  const start = "export const start = 1;";
  const then = new Map([["packages/a/src/one.ts", start]]);

  it("has no row for an unchanged name, in its file or in another file of its package", () => {
    const empty = { names: [], files: [], imports: [], missing: [] };
    expect(compared({ texts: then, present: then })).toEqual(empty);
    const present = new Map([
      ["packages/a/src/one.ts", ""],
      ["packages/a/src/two.ts", start],
    ]);
    expect(compared({ texts: then, present })).toEqual(empty);
  });

  it("has a row for a file that moved, and for its names if it went to another package", () => {
    const to = "packages/b/src/one.ts";
    const moved = new Map([["packages/a/src/one.ts", to]]);
    const found = compared({ texts: then, present: new Map([[to, start]]), moved });
    expect(found).toMatchObject({ files: [["a", "`one.ts`", `\`${to}\``]], missing: [] });
    expect(found.names).toEqual([["a", "`start`", `the same, in \`${to}\``]]);
  });

  it("reports a name that was removed, until it has a row", () => {
    const known = { texts: then, present: new Map([["packages/a/src/one.ts", "export const begin = 1;"]]) };
    expect(compared(known).missing).toEqual(["name start of packages/a/src/one.ts (now there: begin)"]);
    expect(compared({ ...known, rows: [["a", "`start`", "`begin`"]] }).missing).toEqual([]);
  });

  it("does not treat a name as kept if only another file or an unrelated package has the same name", () => {
    const texts = new Map([...then, ["packages/a/src/two.ts", start]]);
    const present = new Map([
      ["packages/a/src/one.ts", ""],
      ["packages/a/src/two.ts", start],
      ["packages/b/src/one.ts", start],
    ]);
    expect(compared({ texts, present }).missing).toEqual(["name start of packages/a/src/one.ts"]);
  });

  it("reports a file that was removed, until it has a row or the reason of its removal", () => {
    const known = { texts: new Map([["packages/a/src/one.ts", ""]]) };
    expect(compared(known).missing).toEqual(["file packages/a/src/one.ts"]);
    expect(compared({ ...known, rows: [["a", "`one.ts`", "removed: it was empty"]] }).missing).toEqual([]);
  });

  it("reports a name that exists and is no longer exported", () => {
    const present = new Map([["packages/a/src/one.ts", "const start = 1;"]]);
    expect(compared({ texts: then, present }).names).toEqual([
      ["a", "`start`", "removed as an export; still in `one.ts`"],
    ]);
  });

  it("reports from where a name is imported now, and under which name", () => {
    const entry = (...names: readonly string[]): Entry => ({ folder: "a", names: new Set(names) });
    const found = compared({
      rows: [["a", "`start`", "`begin`"]],
      entriesThen: new Map([["@x/a", entry("start", "stop", "stay")]]),
      entriesNow: new Map([
        ["@x/a", entry("stay")],
        ["@x/a/b", entry("begin")],
      ]),
    });
    expect(found.imports).toEqual([
      ["`@x/a`", "`start`", "`@x/a/b`", "`begin`"],
      ["`@x/a`", "`stop`", "not exported", ""],
    ]);
  });
});
