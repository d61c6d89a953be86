// The deletion store of a SQLite delivery store: requests to delete or suppress users.

import type { DeletionStore } from "@postrider/core";
import type { StoreConnection } from "../../file/connection.js";
import type { SqliteDatabase } from "../../file/database.js";
import type { Transaction } from "../transaction.js";
import { prepareFindDeletion, prepareListDeletions } from "./find.js";
import { type Finish, prepareFinish } from "./finish.js";
import { type Open, prepareOpen } from "./open.js";
import { preparePurge, type Purge } from "./purge.js";
import { prepareListSuppressed } from "./suppressed.js";

export interface DeletionStatements {
  readonly open: Open;
  readonly purge: Purge;
  readonly finish: Finish;
  readonly find: ReturnType<typeof prepareFindDeletion>;
  readonly list: ReturnType<typeof prepareListDeletions>;
  readonly suppressed: ReturnType<typeof prepareListSuppressed>;
}

export function prepareDeletions(database: SqliteDatabase): DeletionStatements {
  return {
    open: prepareOpen(database),
    purge: preparePurge(database),
    finish: prepareFinish(database),
    find: prepareFindDeletion(database),
    list: prepareListDeletions(database),
    suppressed: prepareListSuppressed(database),
  };
}

/** Runs a transaction of the store, with its counter deltas. */
export type Write = <T>(work: (transaction: Transaction) => T) => Promise<T>;

export function createSqliteDeletions(
  statements: DeletionStatements,
  connection: StoreConnection,
  write: Write,
): DeletionStore {
  return {
    open: (deletion, now) =>
      write(() => {
        statements.open(deletion, now);
      }),
    purge: (slice, now) => write(({ deltas }) => statements.purge(slice, deltas, now)),
    finish: async (id, now) => {
      if (!(await write(() => statements.finish.forgetUsers(id)))) return false;
      if (!(await connection.emptyLog())) return false;
      await write(() => {
        statements.finish.markFinished(id, now);
      });
      return true;
    },
    find: (id) => connection.read(() => statements.find(id)),
    list: (query) => connection.read(() => statements.list(query)),
    suppressed: (query) => connection.read(() => statements.suppressed(query)),
  };
}
