// Stores that end wrongly, or do wrong when their storage fails.

import { createStoreError, type DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { StorageGate } from "@postrider/testkit/contracts";
import { accessThrough, behindGate, OPEN_GATE, overGatedDisk } from "./gated-disk.js";
import { overOneDisk, type Storage } from "./storage.js";

/** Replays before it settles. */
export function settlingLast(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const { replayed } = await store.commit({ ...changes, accept: [], settle: [], append: [], tally: [] }, now);
      return { ...(await store.commit({ ...changes, replay: [] }, now)), replayed };
    },
  };
}

export function stayingOpen(store: DeliveryStore): DeliveryStore {
  return { ...store, close: () => Promise.resolve() };
}

/** Commits that are out when it is closed reject with what its driver says. */
export function rejectingAsItsDriver(store: DeliveryStore): DeliveryStore {
  let isClosed = false;
  return {
    ...store,
    commit: async (changes, now) => {
      const isOpen = !isClosed;
      await Promise.resolve();
      if (isOpen && isClosed) throw new Error("connection terminated");
      return store.commit(changes, now);
    },
    close: () => {
      isClosed = true;
      return store.close();
    },
  };
}

/** Answers a commit from memory, and writes it later. */
export function createHastyStorage(): Storage {
  const log: ((store: DeliveryStore) => Promise<unknown>)[] = [];
  const openGated = async (gate: StorageGate): Promise<DeliveryStore> => {
    const [store, access] = [createMemoryStore({ disk: createMemoryDisk() }), accessThrough(gate)];
    for (const write of log) await write(store);
    const later = (write: (typeof log)[number]): void => void access(() => Promise.resolve(log.push(write)));
    return {
      ...behindGate(store, access),
      commit: (changes, now) => {
        later((again) => again.commit(changes, now));
        return store.commit(changes, now);
      },
    };
  };
  return { open: () => openGated(OPEN_GATE), openGated };
}

/** Drops the commits that it has answered and not yet written, when it is closed. */
export function createDroppingStorage(): Storage {
  const disk = createMemoryDisk();
  const open = (): Promise<DeliveryStore> => {
    const store = createMemoryStore({ disk });
    const volatile = createMemoryStore({ disk: createMemoryDisk() });
    const state = { isClosed: false };
    const hasEnded = (): boolean => state.isClosed;
    return Promise.resolve({
      ...store,
      commit: async (changes, now) => {
        if (hasEnded()) throw createStoreError("unavailable", "closed");
        await Promise.resolve();
        return hasEnded() ? volatile.commit(changes, now) : store.commit(changes, now);
      },
      close: () => {
        state.isClosed = true;
        return store.close();
      },
    });
  };
  return { open };
}

/** Cuts off the commits of older processes at each opening: they are answered, and lost. */
export function createJealousStorage(): Storage {
  const disk = createMemoryDisk();
  let processes = 0;
  const open = (): Promise<DeliveryStore> => {
    const store = createMemoryStore({ disk });
    const volatile = createMemoryStore({ disk: createMemoryDisk() });
    processes += 1;
    return Promise.resolve({
      ...store,
      commit: async (changes, now) => {
        const before = processes;
        await Promise.resolve();
        return before === processes ? store.commit(changes, now) : volatile.commit(changes, now);
      },
    });
  };
  return { open };
}

/** Looks at a commit after it has written it, and is `busy` if it cannot. */
export function busyAfterWriting(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const committed = await access(() => store.commit(changes, now));
      await access(() => Promise.resolve());
      return committed;
    },
  }));
}

/** Reports data that it cannot read as absent. */
export function readingNothing(): Storage {
  return overGatedDisk(({ store, access }) => ({
    find: (id) => access(() => store.find(id)).catch(() => undefined),
    list: (query) => access(() => store.list(query)).catch(() => ({ deliveries: [] })),
  }));
}

/** Goes on after a fault that is `corrupt`. */
export function goingOn(): Storage {
  return overGatedDisk(({ store, gate }) => ({
    commit: (changes, now) => {
      const code = gate.fault("before");
      if (code !== undefined) return Promise.reject(createStoreError(code, `the disk fails as ${code}`));
      return store.commit(changes, now);
    },
  }));
}

/** Forgets a message id whose commit has not been answered. */
export function countingLostAnswers(): Storage {
  let lost = 0;
  return overGatedDisk(({ store, access, gate }) => ({
    commit: (changes, now) =>
      access(async () => {
        const accept = changes.accept.map((one) =>
          lost > 0 ? { ...one, messageId: `${one.messageId}, ${lost}` } : one,
        );
        const committed = await store.commit({ ...changes, accept }, now);
        const code = gate.fault("after");
        lost = code === undefined ? 0 : lost + 1;
        if (code !== undefined) throw createStoreError(code, "the answer is lost");
        return committed;
      }),
  }));
}

/** A claim whose answer is lost is never ended. */
export function keepingLostClaims(): Storage {
  return overGatedDisk(({ store, access, gate }) => ({
    claim: (request, now) =>
      access(async () => {
        const code = gate.fault("after");
        const claimed = await store.claim(code === undefined ? request : { ...request, leaseMs: A_YEAR_MS }, now);
        if (code !== undefined) throw createStoreError(code, "the answer is lost");
        return claimed;
      }),
  }));
}

const A_YEAR_MS = 31_536_000_000;

/** Ends deliveries one by one. */
export function endingOneByOne(): Storage {
  return overGatedDisk(({ store, access }) => ({
    end: async (request, now) => {
      for (let count = 0; ; count += 1) {
        const ended = count < request.limit ? await access(() => store.end({ ...request, limit: 1 }, now)) : 0;
        if (ended === 0) return count;
      }
    },
  }));
}

/** Takes a damaged storage for a new one. */
export function openingAnew(): Storage {
  const storage = overOneDisk((store) => store);
  return { ...storage, openDamaged: () => Promise.resolve(createMemoryStore({ disk: createMemoryDisk() })) };
}
