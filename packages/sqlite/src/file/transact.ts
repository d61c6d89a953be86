// Runs work in one transaction: all of it is committed, or none. A transaction that may write (`immediate`) takes the write
// lock at its start. If it took the lock later and another process had written before, its first write would fail as busy.

import type { SqliteDatabase } from "./database.js";

export type TransactionKind = "immediate" | "deferred";

/** Runs `work` in a transaction and commits it; rolls it back if anything throws, and throws that error. */
export function transact<T>(database: SqliteDatabase, kind: TransactionKind, work: () => T): T {
  database.exec(`begin ${kind}`);
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * Rolls back. If the disk is full or a write has failed, SQLite may have rolled back already; then the statement
 * throws, and the error is ignored.
 */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // The first error is the one to report.
  }
}
