import { describe, expect, it } from "vitest";
import { type Line, plainText } from "../../../../packages/postrider/src/cli/terminal/line.js";
import { type Cell, tableLines, textWidth } from "../../../../packages/postrider/src/cli/terminal/table.js";

const COLUMNS = [{ heading: "id" }, { heading: "name", isCuttable: true }, { heading: "note", isCuttable: true }];

function texts(rows: readonly (readonly Cell[])[], width?: number): readonly string[] {
  return tableLines(COLUMNS, rows, width).map((line: Line) => plainText(line));
}

describe("a table", () => {
  it("aligns its columns, and has no space at the end of a line", () => {
    expect(
      texts([
        ["1", "a", "b"],
        ["23", "a long name", ""],
      ]),
    ).toEqual(["id  name         note", "1   a            b", "23  a long name"]);
  });

  it("cuts the widest columns until a line fits, and no column that must not be cut", () => {
    const id = "i".repeat(10);
    const lines = texts([[id, "n".repeat(40), "o".repeat(20)]], 40);
    expect(lines[1]).toBe(`${id}  ${"n".repeat(12)}…  ${"o".repeat(12)}…`);
    expect(Math.max(...lines.map((line) => line.length))).toBe(40);
  });

  it("is wider than the terminal if the rest would be cut to fewer than 6 characters", () => {
    expect(texts([["1", "n".repeat(40), "o".repeat(40)]], 10)[1]).toBe("1   nnnnn…  ooooo…");
  });

  it("is not cut without a width", () => {
    expect(texts([["1", "n".repeat(400), ""]])[1]).toBe(`1   ${"n".repeat(400)}`);
  });

  it("counts two columns for an East Asian character and for an emoji, and none for a combining mark", () => {
    expect([textWidth("日本"), textWidth("👍"), textWidth("e\u0301")]).toEqual([4, 2, 1]);
    expect(
      texts([
        ["1", "日本", "x"],
        ["2", "e\u0301", "x"],
      ]).slice(1),
    ).toEqual(["1   日本  x", "2   e\u0301     x"]);
    expect(texts([["1", "日".repeat(10), ""]], 17)[1]).toBe("1   日日日…");
  });

  it("shows a control character escaped, and aligns it as it is shown", () => {
    expect(
      texts([
        ["1", "a\u001bb\nc", "x"],
        ["2", "a", "x"],
      ]).slice(1),
    ).toEqual(["1   a\\u001bb c  x", "2   a           x"]);
  });

  it("colours a cell and not the space after it", () => {
    const [, line] = tableLines(COLUMNS, [[{ text: "1", style: "bad" }, "a", "b"]]);
    expect(line).toEqual([{ text: "1", style: "bad" }, "   ", "a     ", "b"]);
  });
});
