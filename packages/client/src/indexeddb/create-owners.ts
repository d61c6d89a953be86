// The owners of stored calls that this tab holds: each is the name under which one tab stores calls, and has a Web Lock. The browser
// frees the locks of a tab that is closed or loaded again, or that has crashed, and then another tab can hold them.

import { createDatabaseError } from "./database-error.js";

export interface Owners {
  /** False in a runtime without Web Locks, where every owner can be held. */
  readonly canLock: boolean;
  /** The owner of the calls that this tab stores. Rejects with a StoreError if its lock is refused. */
  current(): Promise<string>;
  readonly holds: (owner: string) => boolean;
  /** Holds those of these owners whose tabs are gone; resolves with true if there were any. Never rejects. */
  takeOver(owners: readonly string[]): Promise<boolean>;
  /** Frees all locks. */
  release(): void;
}

/** `draw` returns a new name, which no other tab has. */
export function createOwners(database: string, draw: () => string): Owners {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Pick<LockManager, "request"> } };
  const locks = navigator?.locks;
  const heldOwners = new Set<string>();
  let currentOwner: string | undefined;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  /** Resolves with false if another tab has the lock. A lock may be lost: Safari frees those of a page that the user has left. */
  function hold(owner: string): Promise<boolean> {
    return new Promise((resolve) => {
      let hasLock = false;
      function take(lock: unknown): Promise<void> | undefined {
        if (lock === null) return undefined;
        hasLock = true;
        heldOwners.add(owner);
        resolve(true);
        return released;
      }
      function end(): void {
        if (hasLock) heldOwners.delete(owner);
        resolve(false);
      }
      if (locks === undefined) void take(owner);
      else locks.request(`${database}/${owner}`, { ifAvailable: true }, take).then(end, end);
    });
  }

  return {
    canLock: locks !== undefined,
    current: async () => {
      if (currentOwner !== undefined && heldOwners.has(currentOwner)) return currentOwner;
      currentOwner = draw();
      if (await hold(currentOwner)) return currentOwner;
      throw createDatabaseError("unavailable", "the browser refuses a Web Lock");
    },
    holds: (owner) => heldOwners.has(owner),
    takeOver: async (owners) => {
      const results = await Promise.all(owners.filter((owner) => !heldOwners.has(owner)).map(hold));
      return results.includes(true);
    },
    release: () => release(),
  };
}
