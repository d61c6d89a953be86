// Writes many rows with one statement: a driver call per row takes longer than SQLite takes to write the row. Rows
// added in a transaction are written before it commits; rows that are not written when the transaction rolls back are
// dropped.

import type { SqliteDatabase, SqliteStatement, SqlValue } from "../file/database.js";

/** The rows of one transaction. */
export interface RowBatch {
  add(row: readonly SqlValue[]): void;
  /** Writes the rows that are not written yet. */
  write(): void;
}

/** How many rows a statement writes; the largest comes first. */
const SIZES = [32, 8, 1] as const;

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
  const [most, statement] = statements[0] ?? [];
  let values: SqlValue[] = [];

  function writeBy(size: number, one: SqliteStatement): void {
    let at = 0;
    for (; values.length - at >= size; at += size) one.run(...values.slice(at, at + size));
    values = values.slice(at);
  }

  return {
    add: (row): void => {
      for (const value of row) values.push(value);
      if (values.length !== most || statement === undefined) return;
      statement.run(...values);
      values = [];
    },
    write: (): void => {
      for (const [size, one] of statements) writeBy(size, one);
    },
  };
}
