// Encodes the values of columns, reads them from the rows of a driver (`corrupt` if one does not fit the schema), sums what leaves the
// file to be sent, since a broken disk may return other bytes than were written, and writes many rows with one statement. A sum
// detects accidents, not forgery.

import { createStoreError } from "@postrider/core";
import type { SqliteDatabase, SqliteStatement, SqlValue } from "../file/database.js";

/** The characters that JSON escapes, and surrogate pairs, which it does not. */
// eslint-disable-next-line no-control-regex -- it looks for control characters
const MAY_NEED_ESCAPES = /[\u0000-\u001f"\\\ud800-\udfff]/;

const SEED = 0x9747b28c;

const WORD_FACTOR = 0x85ebca6b;

const LAST_FACTOR = 0xc2b2ae35;

const TWO_TO_32 = 0x1_0000_0000;

/** The numbers of rows that a statement can write; the largest comes first. */
const SIZES = [32, 8, 1] as const;

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

/** The string of a stored form. */
export function fromText(text: string): string {
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}

export interface MessageContent {
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: Uint8Array;
}

/** The checksum of the contents of a message: 32 bits, unsigned. */
export function contentSum({ source, messageId, type, body }: MessageContent): number {
  return addBytes(addText(addText(addText(SEED, source), messageId), type), body);
}

/** The checksum of a delivery; `content` is the checksum of the contents of its message. */
export function deliverySum(content: number, id: number, lane: string): number {
  return addText(addNumber(content, id), lane);
}

/** The checksum of texts in order. Each step takes two characters, since the texts may be long. */
export function textsSum(texts: readonly string[]): number {
  return texts.reduce(addLongText, SEED);
}

function addLongText(seed: number, text: string): number {
  let sum = seed ^ text.length;
  for (let at = 0; at < text.length - 1; at += 2)
    sum = addWord(sum, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  if (text.length % 2 === 1) sum = addWord(sum, text.charCodeAt(text.length - 1));
  return finish(sum);
}

/** Four bytes per step: one byte per step would take longer than writing the row. */
function addBytes(seed: number, bytes: Uint8Array): number {
  const words = bytes.length - (bytes.length % 4);
  let sum = seed ^ bytes.length;
  for (let at = 0; at < words; at += 4) {
    sum = addWord(
      sum,
      byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24),
    );
  }
  for (let at = words; at < bytes.length; at += 1) sum = addWord(sum, byteAt(bytes, at));
  return finish(sum);
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function addText(seed: number, text: string): number {
  let sum = seed ^ text.length;
  for (let at = 0; at < text.length; at += 1) sum = addWord(sum, text.charCodeAt(at));
  return finish(sum);
}

function addNumber(seed: number, value: number): number {
  return finish(addWord(addWord(seed, value % TWO_TO_32), Math.floor(value / TWO_TO_32)));
}

function addWord(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, WORD_FACTOR);
  return mixed ^ (mixed >>> 15);
}

function finish(sum: number): number {
  const mixed = Math.imul(sum ^ (sum >>> 16), LAST_FACTOR);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** The rows of one transaction, which are written in groups. */
export interface RowBatch {
  add(row: readonly SqlValue[]): void;
  /** Writes the rows that are not written yet. */
  write(): void;
}

/**
 * Returns a function that opens an empty batch. `sql` makes a statement out of a list of rows of values, such as "values
 * (?), (?)"; each row has `columns` columns.
 */
export function prepareBatch(
  database: SqliteDatabase,
  columns: number,
  sql: (values: string) => string,
): () => RowBatch {
  const row = `(?${", ?".repeat(columns - 1)})`;
  const statements = SIZES.map((size): readonly [number, SqliteStatement] => [
    size * columns,
    database.prepare(sql(`values ${row}${`, ${row}`.repeat(size - 1)}`)),
  ]);
  return () => openBatch(statements);
}

/** `statements` has each statement with its number of values, the largest number first. */
function openBatch(statements: readonly (readonly [number, SqliteStatement])[]): RowBatch {
  const [maxValues, largestStatement] = statements[0] ?? [];
  let values: SqlValue[] = [];

  function writeBy(size: number, statement: SqliteStatement): void {
    let at = 0;
    for (; values.length - at >= size; at += size) statement.run(...values.slice(at, at + size));
    values = values.slice(at);
  }

  return {
    add: (row): void => {
      for (const value of row) values.push(value);
      if (values.length !== maxValues || largestStatement === undefined) return;
      largestStatement.run(...values);
      values = [];
    },
    write: (): void => {
      for (const [size, statement] of statements) writeBy(size, statement);
    },
  };
}
