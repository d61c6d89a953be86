// A delivery store over an open SQLite database. What is asked of it happens at once on the calling thread, in one
// transaction; promises are for the port's sake. After an error that puts the file in doubt it answers nothing more:
// a failed fsync may have lost what a later read would still show (decision: storage).

import { type DeliveryStore, MAX_DEDUPE_IDS, type StoreError } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { advise } from "../advise.js";
import { nameError, storeError } from "../name-error.js";
import { open } from "../open.js";
import { transact } from "../transact.js";
import { type Claim, prepareClaim } from "./claim.js";
import { type Commit, prepareCommit } from "./commit.js";
import { prepareCounts } from "./counts.js";
import { type End, prepareEnd } from "./end.js";
import { prepareFind } from "./find.js";
import { prepareLanes } from "./lanes.js";
import { type Ledger, prepareLedger } from "./ledger.js";
import { prepareList } from "./list.js";
import { preparePullIn } from "./pull-in.js";
import { prepareSweep } from "./sweep.js";

export interface SqliteStoreOptions {
  /** An open connection, which belongs to the store from now on: `close` closes it. */
  readonly database: SqliteDatabase;
  /** How many message ids are remembered at most; the oldest go first. 50,000,000 unless given. */
  readonly maxMessageIds?: number;
}

/**
 * Opens a store on a database: sets what durability needs, and brings the schema up to date. Several stores may share
 * a file, in one process or in many. Throws a `StoreError` when the library is older than 3.51.3, or the file is of a
 * newer version, of another program, or cannot be used.
 */
export function createSqliteStore({ database, maxMessageIds = MAX_DEDUPE_IDS }: SqliteStoreOptions): DeliveryStore {
  open(database);
  const rooms = prepareRooms(database, maxMessageIds);
  let stopped: StoreError | undefined;
  let isOpen = true;

  /** Answers as a promise, whatever happens. */
  function promise<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      try {
        resolve(work());
      } catch (error) {
        const named = nameError(error);
        if (named.code === "corrupt") stopped = named;
        reject(named);
      }
    });
  }

  function ask<T>(work: () => T): Promise<T> {
    return promise(() => {
      if (stopped !== undefined) throw stopped;
      return work();
    });
  }

  function write<T>(work: (ledger: Ledger) => T): Promise<T> {
    return ask(() =>
      transact(database, "immediate", () => {
        const ledger = rooms.openLedger();
        const result = work(ledger);
        ledger.write();
        return result;
      }),
    );
  }

  function read<T>(work: () => T): Promise<T> {
    return ask(() => transact(database, "deferred", work));
  }

  return {
    commit: (changes, now) => write((ledger) => rooms.commit(changes, ledger, now)),
    claim: (request, now) => write((ledger) => rooms.claim(request, ledger, now)),
    lanes: (page) => read(() => rooms.lanes(page)),
    end: (request, now) => write((ledger) => rooms.end(request, ledger, now)),
    pullIn: (request) => write(() => rooms.pullIn(request)),
    find: (id) => read(() => rooms.find(id)),
    list: (query) => read(() => rooms.list(query)),
    counts: () => read(() => rooms.counts()),
    sweep: (request) => write(() => rooms.sweep(request)),
    close: () =>
      promise(() => {
        if (isOpen && stopped === undefined) emptyLog(database);
        stopped = storeError("unavailable", "the SQLite store is closed");
        if (isOpen) database.close();
        isOpen = false;
      }),
  };
}

interface Rooms {
  readonly openLedger: () => Ledger;
  readonly commit: Commit;
  readonly claim: Claim;
  readonly lanes: ReturnType<typeof prepareLanes>;
  readonly end: End;
  readonly pullIn: ReturnType<typeof preparePullIn>;
  readonly find: ReturnType<typeof prepareFind>;
  readonly list: ReturnType<typeof prepareList>;
  readonly counts: ReturnType<typeof prepareCounts>;
  readonly sweep: ReturnType<typeof prepareSweep>;
}

/** What SQLite cannot make out of a statement of ours is for lack of a table or a column that the file should have. */
function prepareRooms(database: SqliteDatabase, maxMessageIds: number): Rooms {
  try {
    return {
      openLedger: prepareLedger(database),
      commit: prepareCommit(database, maxMessageIds),
      claim: prepareClaim(database),
      lanes: prepareLanes(database),
      end: prepareEnd(database),
      pullIn: preparePullIn(database),
      find: prepareFind(database),
      list: prepareList(database),
      counts: prepareCounts(database),
      sweep: prepareSweep(database),
    };
  } catch (error) {
    const { code, message } = nameError(error);
    throw advise(storeError(code === "unavailable" ? "corrupt" : code, `${message}: the file is broken`, error));
  }
}

/**
 * Drivers keep statements open beyond their connection, and SQLite then leaves its log behind: whoever copied the file
 * alone would get an old state. Where the log is in use by others it stays, and nothing is lost.
 */
function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // A courtesy: what is committed lies in the log as safely as in the file.
  }
}
