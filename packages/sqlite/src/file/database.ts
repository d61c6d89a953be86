// What a store asks of a database driver: its shape, and no driver by name. The `DatabaseSync` of node:sqlite and of
// @photostructure/sqlite has it, and so has the `Database` of better-sqlite3.

/** What is bound to a `?`, and what a column holds. */
export type SqlValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  /** For what answers no rows. */
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  /** The first row, as an object by column name; undefined where there is none. */
  get(...values: SqlValue[]): unknown;
  /** All rows. */
  all(...values: SqlValue[]): readonly unknown[];
}

/** An open connection. Everything on it happens at once and may throw; integers come back as numbers. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}
