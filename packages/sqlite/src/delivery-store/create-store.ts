// A delivery store over an open SQLite database. Every call runs synchronously on the calling thread, in one
// transaction; it returns a promise because the methods of the port do. After an error with `corrupt`, all methods
// reject: see `connection.ts`.

import type { DeliveryStore } from "@postrider/core";
import { MAX_DEDUPE_IDS } from "@postrider/core/engine";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { prepareDatabase, prepareStatements } from "../file/open.js";
import { createSqliteBoard, prepareBoard } from "./board.js";
import { type ClaimDeliveries, prepareClaim } from "./claim.js";
import { type Commit, prepareCommit } from "./commit.js";
import { prepareCounts, prepareFind, prepareLanes, type ListSeen, prepareListSeen } from "./reads.js";
import { createSqliteDeletions, type DeletionStatements, prepareDeletions } from "./users.js";
import { prepareErasure, type Erasure } from "./erasure.js";
import { type End, prepareEnd, preparePullIn, prepareSweep, createSweepAndEmptyLog } from "./maintenance.js";
import { type CounterDeltas, prepareCounterDeltas, type Transaction } from "./transaction.js";
import { prepareList } from "./lists.js";
import { createSqliteRecords, prepareRecords, type RecordStatements } from "../record-store.js";
import { prepareDedupe } from "./dedupe/dedupe.js";

/** The options of `createSqliteStore`. */
export interface SqliteStoreOptions {
  /** An open connection, which belongs to the store from now on: `close` closes it. */
  readonly database: SqliteDatabase;
  /** The highest number of message ids that are remembered; the oldest are forgotten first. 50,000,000 if absent. */
  readonly maxMessageIds?: number;
  /**
   * Asked by `close`: true if another store on the same file is closed later. The log then stays as it is; otherwise
   * `close` moves the log into the file.
   */
  readonly keepsLog?: () => boolean;
  /**
   * True if relays in several processes deliver from this file: the store has a `board` then, by which they act as one towards
   * each receiver, at the price of a commit each second. False if absent.
   */
  readonly shared?: boolean;
}

/**
 * Opens a store on a database: sets the pragmas that durability needs, and brings the schema up to date. Several stores
 * may share a file, in one process or in many. Throws a `StoreError` if SQLite is older than 3.51.3, or if the file is of
 * a newer version, belongs to another program, or cannot be used.
 */
export function createSqliteStore({
  database,
  maxMessageIds = MAX_DEDUPE_IDS,
  keepsLog,
  shared = false,
}: SqliteStoreOptions): DeliveryStore {
  prepareDatabase(database);
  const statements = prepareStatements(() => prepareAll(database, maxMessageIds));
  const connection = createConnection(database, { keepsLog });

  function write<T>(work: (transaction: Transaction) => T, onCommit?: () => void): Promise<T> {
    return connection.write(() => {
      const deltas = statements.openCounterDeltas();
      const result = work({ deltas, erasure: statements.openErasure() });
      deltas.write();
      return result;
    }, onCommit);
  }

  return {
    commit: (changes, now) =>
      write((transaction) => statements.commit(changes, transaction, now), statements.noteCommit),
    claim: (request, now) => write((transaction) => statements.claim(request, transaction, now)),
    lanes: (page) => connection.read(() => statements.lanes(page)),
    end: (request, now) => write((transaction) => statements.end(request, transaction, now)),
    pullIn: (request) => write(() => statements.pullIn(request)),
    find: (id) => connection.read(() => statements.find(id)),
    list: (query) => connection.read(() => statements.list(query)),
    seen: (query, now) => connection.read(() => statements.listSeen(query, now)),
    counts: () => connection.read(() => statements.counts()),
    sweep: createSweepAndEmptyLog(connection, (request) => write(() => statements.sweep(request))),
    deletions: createSqliteDeletions(statements.deletions, connection, write),
    records: createSqliteRecords(statements.records, connection),
    ...(shared && {
      board: createSqliteBoard(
        prepareStatements(() => prepareBoard(database)),
        write,
      ),
    }),
    close: () => connection.close(),
  };
}

interface Statements {
  readonly openCounterDeltas: () => CounterDeltas;
  readonly commit: Commit;
  readonly noteCommit: () => void;
  readonly claim: ClaimDeliveries;
  readonly lanes: ReturnType<typeof prepareLanes>;
  readonly end: End;
  readonly pullIn: ReturnType<typeof preparePullIn>;
  readonly find: ReturnType<typeof prepareFind>;
  readonly list: ReturnType<typeof prepareList>;
  readonly listSeen: ListSeen;
  readonly counts: ReturnType<typeof prepareCounts>;
  readonly sweep: ReturnType<typeof prepareSweep>;
  readonly openErasure: () => Erasure;
  readonly deletions: DeletionStatements;
  readonly records: RecordStatements;
}

function prepareAll(database: SqliteDatabase, maxMessageIds: number): Statements {
  const dedupe = prepareDedupe(database, maxMessageIds);
  return {
    openCounterDeltas: prepareCounterDeltas(database),
    commit: prepareCommit(database, dedupe),
    noteCommit: () => {
      dedupe.noteCommit();
    },
    claim: prepareClaim(database),
    lanes: prepareLanes(database),
    end: prepareEnd(database),
    pullIn: preparePullIn(database),
    find: prepareFind(database),
    list: prepareList(database, dedupe),
    listSeen: prepareListSeen(database, dedupe),
    counts: prepareCounts(database),
    sweep: prepareSweep(database),
    openErasure: prepareErasure(database),
    deletions: prepareDeletions(database),
    records: prepareRecords(database),
  };
}
