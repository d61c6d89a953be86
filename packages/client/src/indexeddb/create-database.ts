// A database of the browser, and transactions in it. A connection that was closed is opened again for the next transaction.

import type { Cancel, Clock } from "@postrider/core";
import { DATABASE_TIMEOUT_MS } from "../limits.js";
import { asStoreError } from "./database-error.js";

/** The tables of the database, within one transaction. */
export interface Tables {
  /** By their place in the order, and their owner. */
  readonly calls: IDBObjectStore;
  /** By their name. */
  readonly owners: IDBObjectStore;
}

export interface Database {
  /**
   * Runs `work` in one transaction, and resolves with its result once that is on the disk. Rejects with a StoreError, also if the
   * browser does not answer in time.
   */
  transact<T>(mode: "readonly" | "readwrite", work: (tables: Tables) => Promise<T>): Promise<T>;
  /** All later transactions reject. */
  close(): void;
}

export function createDatabase(name: string, clock: Clock): Database {
  let connection: Promise<IDBDatabase> | undefined;
  let isClosed = false;

  function disconnect(): void {
    void connection?.then(
      (database) => database.close(),
      () => undefined,
    );
    connection = undefined;
  }

  function connect(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        const calls = request.result.createObjectStore("calls", { keyPath: ["n", "owner"] });
        calls.createIndex("messageId", "messageId", { unique: true });
        request.result.createObjectStore("owners", { keyPath: "owner" });
      };
      request.onerror = () => reject(asStoreError(request.error));
      request.onsuccess = () => {
        // Otherwise another tab could neither delete the database nor upgrade it.
        request.result.onversionchange = disconnect;
        request.result.onclose = disconnect;
        resolve(request.result);
      };
    });
  }

  async function begin(mode: IDBTransactionMode, isRetry = false): Promise<IDBTransaction> {
    if (isClosed) throw new Error("the storage was closed");
    try {
      connection ??= connect();
      return (await connection).transaction(["calls", "owners"], mode, { durability: "strict" });
    } catch (error) {
      // The browser may have closed the connection without an event.
      disconnect();
      if (isRetry) throw error;
      return begin(mode, true);
    }
  }

  async function run<T>(transaction: IDBTransaction, work: (tables: Tables) => Promise<T>): Promise<T> {
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(asStoreError(transaction.error));
    });
    const outcome = work({ calls: transaction.objectStore("calls"), owners: transaction.objectStore("owners") });
    const [result] = await Promise.all([outcome, ended]);
    return result;
  }

  return {
    transact: (mode, work) =>
      new Promise((resolve, reject) => {
        let transaction: IDBTransaction | undefined;
        let isOver = false;
        let cancel: Cancel = () => undefined;
        function fail(error: unknown): void {
          isOver = true;
          abort(transaction);
          reject(asStoreError(error));
        }
        cancel = clock.after(DATABASE_TIMEOUT_MS, () => {
          disconnect(); // Safari 14 answers only the second request of a page.
          fail(new Error("no answer in time"));
        });
        begin(mode)
          .then((newTransaction) => {
            transaction = newTransaction;
            if (!isOver) return run(newTransaction, work);
            throw new Error("begun too late");
          })
          .then(resolve, fail)
          .finally(() => cancel());
      }),
    close: () => {
      isClosed = true;
      disconnect();
    },
  };
}

/** Undoes the changes of a transaction; no effect on one that has ended. */
function abort(transaction: IDBTransaction | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It has ended.
  }
}
