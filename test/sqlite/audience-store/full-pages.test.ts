// Rows of any length fill their pages: none shares a page with another row.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filledText, fillLengthFor, prepareFillLength, textOf } from "../../../packages/sqlite/src/rows/filled-text.js";
import { newFile, openFile } from "../files.js";
import "../../property.js";

/** Bytes of a page that are not part of the row: its header, a pointer, and the bytes before and after the row. */
const MOST_LEFT = 24;

describe("a row", () => {
  it.each([512, 4_096, 65_536])("fills its pages, as SQLite reports (pages of %i bytes)", (pageSize) => {
    const database = openFile(newFile());
    database.exec(`pragma page_size = ${String(pageSize)}; pragma journal_mode = wal`);
    database.exec("create table t (id integer primary key, head blob not null, bytes blob not null) strict");
    const filling = prepareFillLength(database);
    const lengths = [0, 1, 57, 58, 100, 3_900, 4_040, 4_061, 8_100, 8_185, 8_186, 16_400, 32_768, 40_000];
    const heads = [0, 2, 70, 10_000];
    for (const head of heads)
      for (const length of lengths) {
        const bytes = length + filling([head, length]);
        database.prepare("insert into t (head, bytes) values (zeroblob(?), zeroblob(?))").run(head, bytes);
      }
    const pages = database.prepare(
      "select pagetype, ncell, unused from dbstat where name = 't' and pagetype <> 'internal'",
    );
    for (const { pagetype, ncell, unused } of pages.all() as readonly Record<string, number | string>[]) {
      if (pagetype === "leaf") expect(ncell).toBe(1);
      expect(Number(unused)).toBeLessThanOrEqual(MOST_LEFT);
    }
    database.close();
  });

  it("takes at most one page more than it needs", () => {
    const filling = fillLengthFor(4_096);
    fc.assert(
      fc.property(fc.nat(200), fc.nat(100_000), (head, length) => {
        expect(filling([head, length])).toBeLessThanOrEqual(2 * 4_096);
      }),
    );
  });

  it("returns its text without the padding", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(50), (text, missing) => {
        const line = `${text}\n`;
        expect(textOf(filledText(line, () => missing))).toBe(line);
      }),
    );
    expect(textOf(undefined)).toBe("");
  });
});
