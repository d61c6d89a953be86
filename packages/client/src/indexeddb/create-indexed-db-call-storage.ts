// Stores the calls of a page in the browser's IndexedDB. The tabs of a site share the database, and each sees only the calls that it
// has stored itself, and those of tabs that are gone (decision: calls in the browser).

import type { CallStorage, Cancel, Clock, Random } from "@postrider/core";
import { createIdRandom, createSystemClock } from "@postrider/system";
import { MAX_BROWSER_CALLS, TAKE_OVER_MS } from "../limits.js";
import { createDatabase } from "./create-database.js";
import { createOwners } from "./create-owners.js";
import { askFor, changeCalls, loadCalls } from "./stored-calls.js";

/** The options of `createIndexedDbCallStorage`. */
export interface IndexedDbCallStorageOptions {
  /** The name of the database. Use another name for each write key, since a tab sends the calls that another one has left. */
  readonly name: string;
  /** The highest number of calls that all tabs together keep; 10,000 if absent. */
  readonly maxCalls?: number;
  /** The clock; the runtime's if absent. */
  readonly clock?: Clock;
  /** The randomness; the runtime's if absent. */
  readonly random?: Random;
}

/** A storage for the calls of a durable client, in the IndexedDB of a browser. */
export interface IndexedDbCallStorage extends CallStorage {
  /**
   * Closes the database, and leaves the calls to other tabs. To be called after the client was closed. All other methods reject with
   * `unavailable` from then on.
   */
  close(): Promise<void>;
}

/**
 * Creates a storage for the calls of a client. Never throws: where IndexedDB is absent or blocked, full or broken, the methods reject
 * with `full` or `unavailable`, and the client goes on in memory. Without Web Locks, which browsers have on secure pages only, each
 * tab sends all calls that it finds, and the server accepts them once.
 */
export function createIndexedDbCallStorage(options: IndexedDbCallStorageOptions): IndexedDbCallStorage {
  const { name, maxCalls = MAX_BROWSER_CALLS, random = createIdRandom() } = options;
  const clock = options.clock ?? createSystemClock({ keepsProcess: false });
  const database = createDatabase(name, clock);
  const owners = createOwners(name, () => String(random.unit()));
  let cancel: Cancel = () => undefined;
  let isClosed = false;

  async function takeOver(): Promise<boolean> {
    const allOwners = await database.transact("readonly", (tables) => askFor(tables.owners.getAllKeys()));
    return owners.takeOver(allOwners as readonly string[]);
  }

  function lookLater(listener: () => void): void {
    if (isClosed) return;
    cancel = clock.after(TAKE_OVER_MS, () => {
      const check = takeOver().then(
        (hasNewCalls) => (hasNewCalls ? listener() : undefined),
        () => undefined,
      );
      void check.then(() => lookLater(listener));
    });
  }

  return {
    maxCalls,
    load: async (request) => {
      if (request.from === undefined) await takeOver();
      return database.transact("readonly", (tables) => loadCalls(tables, request, owners.holds));
    },
    change: async (change) => {
      const owner = change.keep.length > 0 ? await owners.current() : "";
      const place = { owner, holds: owners.holds, maxCalls };
      return database.transact("readwrite", (tables) => changeCalls(tables, change, place));
    },
    watch: (listener): void => {
      if (owners.canLock) lookLater(listener);
    },
    close: () => {
      isClosed = true;
      cancel();
      database.close();
      owners.release();
      return Promise.resolve();
    },
  };
}
