// The type of the database driver that a store needs; it names no driver. `DatabaseSync` of node:sqlite and of
// @photostructure/sqlite has this type, and so has `Database` of better-sqlite3.

/** A value bound to a `?`, or held by a column. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** The part of a prepared statement of a driver that is used. */
export interface SqliteStatement {
  /** For statements that return no rows. */
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  /** The first row, as an object by column name; undefined if there is none. */
  get(...values: SqlValue[]): unknown;
  /** All rows. */
  all(...values: SqlValue[]): readonly unknown[];
}

/** An open connection. All methods are synchronous and may throw; integers are returned as numbers. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}
