import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { csvOf } from "../../packages/console/page/base/download.js";

/** The cells of each line, by RFC 4180. */
function cellsIn(csv: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain = "", end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}

const texts = fc.oneof(fc.string(), fc.stringMatching(/^[",\r\n'=+@\-a\t]{0,6}$/));

describe("a list as CSV", () => {
  it("has a line of the keys and the cells of each row, whatever they hold", () => {
    const rows = fc.array(fc.record({ id: texts, detail: texts }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, (list) => {
        const [head, ...lines] = cellsIn(csvOf(list));
        expect(head).toEqual(["id", "detail"]);
        const plain = (cell: string, text: string) => (cell === `'${text}` ? text : cell);
        const read = lines.map(([id = "", detail = ""], at) => ({
          id: plain(id, list[at]!.id),
          detail: plain(detail, list[at]!.detail),
        }));
        expect(read).toEqual(list);
      }),
    );
  });

  it("has no cell that a spreadsheet would take for a formula", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [, [cell = ""] = []] = cellsIn(csvOf([{ text }]));
        expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
      }),
    );
  });

  it("has numbers as they are, nothing for null, and nothing at all without rows", () => {
    expect(csvOf([{ a: -1, b: null, c: true }])).toBe("a,b,c\r\n-1,,true\r\n");
    expect(csvOf([])).toBe("");
  });
});
