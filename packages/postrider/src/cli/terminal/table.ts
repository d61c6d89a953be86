// Writes rows as an aligned table. With a width, as on a terminal, cells of columns that may be cut are cut until a line fits;
// without one, no cell is cut. Terminals differ in the width of rare characters; a table is then out of line there.

import { toPrintable } from "../../log/printable.js";
import type { Line, Style, StyledText } from "./line.js";

interface Column {
  readonly heading: string;
  /** True if its cells may be cut; an id that another command takes must not be. */
  readonly isCuttable?: boolean;
}

/** A cell; with a style, it is coloured on a terminal. */
export type Cell = string | StyledText;

const GAP = "  ";

/** No column is cut to fewer characters. */
const MIN_CUT_WIDTH = 6;

const ELLIPSIS = "…";

/** Characters of two columns: East Asian ones and emoji. */
const WIDE =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** Characters of no column: combining marks. */
const ZERO = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u;

/** The heading and a line for each row. `width`: the characters of a line; if absent, nothing is cut. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width?: number,
): readonly Line[] {
  const cells = rows.map((row) => row.map(plainCell));
  const headings = columns.map(({ heading }) => ({ text: heading, style: "strong" as const }));
  const lines = [headings, ...cells];
  const naturalWidths = columns.map((_, at) => Math.max(...lines.map((row) => textWidth(row[at]?.text ?? ""))));
  const widths = width === undefined ? naturalWidths : fitWidths(columns, naturalWidths, width);
  return lines.map((row) => lineOf(row, widths));
}

/** Takes characters from the widest column that may be cut, one at a time, until a line fits or no column may be cut further. */
function fitWidths(columns: readonly Column[], naturalWidths: readonly number[], width: number): readonly number[] {
  const widths = [...naturalWidths];
  const gaps = GAP.length * (widths.length - 1);
  for (let excess = sum(widths) + gaps - width; excess > 0; excess -= 1) {
    const cuttable = widths.map((columnWidth, at) =>
      columns[at]?.isCuttable === true && columnWidth > MIN_CUT_WIDTH ? columnWidth : 0,
    );
    const widest = Math.max(...cuttable);
    if (widest === 0) break;
    widths[cuttable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

interface PlainCell {
  readonly text: string;
  readonly style: Style | undefined;
}

function plainCell(cell: Cell): PlainCell {
  const { text, style } = typeof cell === "string" ? { text: cell, style: undefined } : cell;
  return { text: toPrintable(text).replace(/[\n\t]/g, " "), style };
}

/** Spaces come after the style of a cell, and none come after the last cell with text. */
function lineOf(row: readonly PlainCell[], widths: readonly number[]): Line {
  const lastIndex = row.findLastIndex(({ text }) => text !== "");
  return row.slice(0, lastIndex + 1).flatMap(({ text, style }, at) => {
    const columnWidth = widths[at] ?? 0;
    const cell = cutToWidth(text, columnWidth);
    const space = at === lastIndex ? "" : " ".repeat(columnWidth - textWidth(cell)) + GAP;
    return style === undefined ? [cell + space] : [{ text: cell, style }, space];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The number of columns of a terminal that a text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, or its beginning and `…` if it is wider than `width`. */
function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let beginning = "";
  let room = width - 1;
  for (const character of text) {
    room -= characterWidth(character);
    if (room < 0) break;
    beginning += character;
  }
  return beginning + ELLIPSIS;
}

function characterWidth(character: string): number {
  if (character <= "~") return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
