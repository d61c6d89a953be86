// Encodes the values of columns, and reads them from the rows that a driver returns as `unknown`. Throws `corrupt` for a value that
// does not fit the schema: the file is broken, or Postrider did not write it.

import { createStoreError } from "@postrider/core";

export type Row = Readonly<Record<string, unknown>>;

/** The row that `get` returned, or undefined if there was none. */
export function readRow(answer: unknown): Row | undefined {
  if (answer === undefined || answer === null) return undefined;
  return isRow(answer) ? answer : misfit("a row", answer);
}

export function readRows(answers: readonly unknown[]): readonly Row[] {
  return answers.map((answer) => readRow(answer) ?? misfit("a row", answer));
}

/** The single row of a statement that always returns one. */
export function readSingleRow(answer: unknown): Row {
  return readRow(answer) ?? misfit("a row", answer);
}

function isRow(answer: unknown): answer is Row {
  return typeof answer === "object";
}

export function readNumber(row: Row, column: string): number {
  return readMaybeNumber(row, column) ?? misfit(column, null);
}

export function readMaybeNumber(row: Row, column: string): number | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return typeof value === "number" ? value : misfit(column, value);
}

/** A text that was written with `toText`. */
export function readText(row: Row, column: string): string {
  return readMaybeText(row, column) ?? misfit(column, null);
}

export function readMaybeText(row: Row, column: string): string | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return typeof value === "string" ? readEscaped(column, value) : misfit(column, value);
}

/** A text that was stored without `toText`, such as JSON. */
export function readPlainText(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : misfit(column, value);
}

function readEscaped(column: string, text: string): string {
  try {
    return fromText(text);
  } catch {
    return misfit(column, text);
  }
}

export function readMaybeBytes(row: Row, column: string): Uint8Array | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return value instanceof Uint8Array ? value : misfit(column, value);
}

function misfit(column: string, value: unknown): never {
  throw createStoreError("corrupt", `SQLite: ${column} is not what the schema says, but ${typeof value}`);
}

/**
 * The stored form of a string: SQLite returns it unchanged. A string bound directly would end at its first NUL, and a lone
 * surrogate would come back as three replacement characters. Only equal strings have equal forms, so the form can be
 * compared and indexed.
 */
export function toText(value: string): string {
  return MAY_NEED_ESCAPES.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** The stored form of a string that may be absent. */
export function toTextOrNull(value: string | undefined): string | null {
  return value === undefined ? null : toText(value);
}

/** The characters that JSON escapes, and surrogate pairs, which it does not. */
// eslint-disable-next-line no-control-regex -- it looks for control characters
const MAY_NEED_ESCAPES = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** The string of a stored form. */
export function fromText(text: string): string {
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}
