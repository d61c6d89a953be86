// Asks for many rows at a time: to ask the driver once for each takes longer than SQLite takes to write it. What is added
// in one transaction is written by its end at the latest; what is not written when it breaks off is gone with it.

import type { SqliteDatabase, SqliteStatement, SqlValue } from "../file/database.js";

/** Of one transaction. */
export interface Batch {
  add(row: readonly SqlValue[]): void;
  /** Writes what is left. */
  write(): void;
}

/** Rows in one statement, the most first. */
const SIZES = [32, 8, 1] as const;

/**
 * Answers a maker of empty batches. `sql` makes a statement out of a list of rows of values, such as "values (?), (?)";
 * each row has so many columns.
 */
export function prepareBatch(database: SqliteDatabase, columns: number, sql: (values: string) => string): () => Batch {
  const row = `(?${", ?".repeat(columns - 1)})`;
  const statements = SIZES.map((size): readonly [number, SqliteStatement] => [
    size * columns,
    database.prepare(sql(`values ${row}${`, ${row}`.repeat(size - 1)}`)),
  ]);
  return () => openBatch(statements);
}

/** `statements` are with how many values each takes, the most first. */
function openBatch(statements: readonly (readonly [number, SqliteStatement])[]): Batch {
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
