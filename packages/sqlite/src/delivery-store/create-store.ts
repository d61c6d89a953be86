// A delivery store over an open SQLite database. What is asked of it happens at once on the calling thread, in one
// transaction; promises are for the port's sake. What it does when the file is in doubt: see `connection.ts`.

import { type DeliveryStore, MAX_DEDUPE_IDS } from "@postrider/core";
import { createConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { open } from "../file/open.js";
import { prepareRooms } from "../file/prepare-statements.js";
import { type Claim, prepareClaim } from "./claim.js";
import { type Commit, prepareCommit } from "./commit.js";
import { prepareCounts } from "./counts.js";
import { createDeletions, type DeletionRooms, prepareDeletions } from "./deletions/create-deletions.js";
import { prepareReach, type Reach } from "./deletions/erasure.js";
import { type End, prepareEnd } from "./end.js";
import { prepareFind } from "./find.js";
import { prepareLanes } from "./lanes.js";
import { type Ledger, prepareLedger } from "./counter-deltas.js";
import { prepareList } from "./list.js";
import { type ListSeen, prepareListSeen } from "./list-seen.js";
import { preparePullIn } from "./pull-in.js";
import { prepareSeen } from "./dedupe/dedupe.js";
import { prepareSweep } from "./sweep.js";
import { createSweepNotices } from "./sweep-notices.js";
import type { Transaction } from "./transaction.js";

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
  const rooms = prepareRooms(() => prepareAll(database, maxMessageIds));
  const connection = createConnection(database);

  function write<T>(work: (transaction: Transaction) => T, done?: () => void): Promise<T> {
    return connection.write(() => {
      const ledger = rooms.openLedger();
      const result = work({ ledger, reach: rooms.openReach() });
      ledger.write();
      return result;
    }, done);
  }

  return {
    commit: (changes, now) => write((transaction) => rooms.commit(changes, transaction, now), rooms.keepSeen),
    claim: (request, now) => write((transaction) => rooms.claim(request, transaction, now)),
    lanes: (page) => connection.read(() => rooms.lanes(page)),
    end: (request, now) => write((transaction) => rooms.end(request, transaction, now)),
    pullIn: (request) => write(() => rooms.pullIn(request)),
    find: (id) => connection.read(() => rooms.find(id)),
    list: (query) => connection.read(() => rooms.list(query)),
    seen: (query, now) => connection.read(() => rooms.listSeen(query, now)),
    counts: () => connection.read(() => rooms.counts()),
    sweep: createSweepNotices(connection, (request) => write(() => rooms.sweep(request))),
    deletions: createDeletions(rooms.deletions, connection, write),
    close: () => connection.close(),
  };
}

interface Rooms {
  readonly openLedger: () => Ledger;
  readonly commit: Commit;
  readonly keepSeen: () => void;
  readonly claim: Claim;
  readonly lanes: ReturnType<typeof prepareLanes>;
  readonly end: End;
  readonly pullIn: ReturnType<typeof preparePullIn>;
  readonly find: ReturnType<typeof prepareFind>;
  readonly list: ReturnType<typeof prepareList>;
  readonly listSeen: ListSeen;
  readonly counts: ReturnType<typeof prepareCounts>;
  readonly sweep: ReturnType<typeof prepareSweep>;
  readonly openReach: () => Reach;
  readonly deletions: DeletionRooms;
}

function prepareAll(database: SqliteDatabase, maxMessageIds: number): Rooms {
  const seen = prepareSeen(database, maxMessageIds);
  return {
    openLedger: prepareLedger(database),
    commit: prepareCommit(database, seen),
    keepSeen: () => {
      seen.keep();
    },
    claim: prepareClaim(database),
    lanes: prepareLanes(database),
    end: prepareEnd(database),
    pullIn: preparePullIn(database),
    find: prepareFind(database),
    list: prepareList(database, seen),
    listSeen: prepareListSeen(database, seen),
    counts: prepareCounts(database),
    sweep: prepareSweep(database),
    openReach: prepareReach(database),
    deletions: prepareDeletions(database),
  };
}
