// The part of a SQLite store that knows of users.

import type { DeletionStore } from "@postrider/core";
import type { Connection } from "../../file/connection.js";
import type { SqliteDatabase } from "../../file/database.js";
import type { Transaction } from "../transaction.js";
import { prepareFindDeletion, prepareListDeletions } from "./find.js";
import { type Finish, prepareFinish } from "./finish.js";
import { type Open, prepareOpen } from "./open.js";
import { preparePurge, type Purge } from "./purge.js";
import { prepareListSuppressed } from "./suppressed.js";

export interface DeletionRooms {
  readonly open: Open;
  readonly purge: Purge;
  readonly finish: Finish;
  readonly find: ReturnType<typeof prepareFindDeletion>;
  readonly list: ReturnType<typeof prepareListDeletions>;
  readonly suppressed: ReturnType<typeof prepareListSuppressed>;
}

export function prepareDeletions(database: SqliteDatabase): DeletionRooms {
  return {
    open: prepareOpen(database),
    purge: preparePurge(database),
    finish: prepareFinish(database),
    find: prepareFindDeletion(database),
    list: prepareListDeletions(database),
    suppressed: prepareListSuppressed(database),
  };
}

/** Writes with the books of the store. */
export type Write = <T>(work: (transaction: Transaction) => T) => Promise<T>;

export function createDeletions(rooms: DeletionRooms, connection: Connection, write: Write): DeletionStore {
  return {
    open: (deletion, now) =>
      write(() => {
        rooms.open(deletion, now);
      }),
    purge: (slice, now) => write(({ ledger }) => rooms.purge(slice, ledger, now)),
    finish: async (id, now) => {
      if (!(await write(() => rooms.finish.forgetUsers(id)))) return false;
      if (!(await connection.emptyLog())) return false;
      await write(() => {
        rooms.finish.note(id, now);
      });
      return true;
    },
    find: (id) => connection.read(() => rooms.find(id)),
    list: (query) => connection.read(() => rooms.list(query)),
    suppressed: (query) => connection.read(() => rooms.suppressed(query)),
  };
}
