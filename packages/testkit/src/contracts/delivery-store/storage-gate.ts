// The gate between a store and its storage, as the author of a harness sees it.

import type { StoreErrorCode } from "@postrider/core";

/**
 * What the suite gives to `openGated`, one for each opened store. Each access to the storage is led through it, so that the
 * suite can try the orders in which two calls happen, and a fault at each access:
 *
 *     openGated: (gate) => openStore({ query: (sql, values) => gate.pass(() => pool.query(sql, values)) })
 */
export interface StorageGate {
  /**
   * Runs one access to the storage: a query, a read or a write of a file. The suite may let it start later, and may hold back
   * its answer. An access that fails rejects as it would without the gate.
   */
  pass<T>(access: () => Promise<T>): Promise<T>;
  /**
   * For `supports.faults`: asked right before each access, and right after each that may take effect while its answer is lost.
   * Answers as what the access has to fail now, or undefined. The harness then throws what its driver throws in that case.
   * After an access the answer is never `busy`, `full` or `corrupt`.
   */
  fault(at: "before" | "after"): StoreErrorCode | undefined;
  /** Resolves once the process of this store is to be dead: end its connections then, so that the storage drops its locks. */
  readonly died: Promise<void>;
}
