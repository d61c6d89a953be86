// Audience stores that do wrong when two calls come at the same time, when their storage fails, or when their process dies.

import { createStoreError, type AudienceStore, type Member } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import type { StorageGate } from "@postrider/testkit/contracts";
import type { AudienceStorage } from "../broken-audience-stores.js";
import { accessThrough, OPEN_GATE } from "./gated-disk.js";
import { overGatedAudiences } from "./gated-audiences.js";

/** Appends the halves of its members in two transactions. */
export function appendingInHalves(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    append: async (set, members) => {
      const half = Math.ceil(members.length / 2);
      await access(() => store.append(set, members.slice(0, half)));
      await access(() => store.append(set, members.slice(half)));
    },
  }));
}

/** Drops a set in one transaction, and what it has read of it before is written back by an append. */
export function appendingToWhatItRead(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    append: async (set, members) => {
      const before = await access(() => store.read(set));
      await access(() => rewrite(store, set, before.length === 0 ? members : [...before, ...members]));
    },
  }));
}

/** Erases from the members that it has read before: what was appended in between is lost. */
export function erasingFromWhatItRead(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    erase: async (set, userIds) => {
      const before = await access(() => store.read(set));
      const remaining = before.filter(({ userId }) => !userIds.includes(userId));
      await access(() => rewrite(store, set, remaining));
      return before.length - remaining.length;
    },
  }));
}

/** Drops a set of which it has seen that the last member was erased, whatever was appended in between. */
export function droppingWhatWasEmpty(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    erase: async (set, userIds) => {
      const [count, remaining] = await access(
        async () => [await store.erase(set, userIds), await store.read(set)] as const,
      );
      if (remaining.length === 0) await access(() => store.drop(set));
      return count;
    },
  }));
}

async function rewrite(store: AudienceStore, set: string, members: readonly Member[]): Promise<void> {
  const last = (await store.read(set)).at(-1)?.userId;
  const isLate = last !== undefined && members.every(({ userId }) => userId <= last);
  if (isLate && members.length > 0 && (members.at(-1)?.userId ?? "") < last) {
    throw createStoreError("unavailable", "not beyond the last");
  }
  while (!(await store.drop(set))) continue;
  await store.append(set, members);
}

/** Looks at a set after it was appended to, and is `busy` if it cannot. */
export function busyAfterAppending(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    append: async (set, members) => {
      await access(() => store.append(set, members));
      await access(() => Promise.resolve());
    },
  }));
}

/** Goes on after a fault that is `corrupt`. */
export function goingOnWithMembers(): AudienceStorage {
  return overGatedAudiences(({ store, gate }) => ({
    append: (set, members) => {
      const code = gate.fault("before");
      if (code !== undefined) return Promise.reject(createStoreError(code, `the disk fails as ${code}`));
      return store.append(set, members);
    },
  }));
}

/** Reports members that it cannot read as absent. */
export function readingNoMembers(): AudienceStorage {
  return overGatedAudiences(({ store, access }) => ({
    read: (set, after) => access(() => store.read(set, after)).catch(() => []),
  }));
}

/** Answers a replacement from memory, and writes it later. */
export function createHastyAudiences(): AudienceStorage {
  const log: ((store: AudienceStore) => Promise<unknown>)[] = [];
  const openGated = async (gate: StorageGate): Promise<AudienceStore> => {
    const [store, access] = [createMemoryAudienceStore({ disk: createMemoryDisk() }), accessThrough(gate)];
    for (const write of log) await write(store);
    const later = (write: (typeof log)[number]): void => void access(() => Promise.resolve(log.push(write)));
    return {
      ...store,
      append: (set, members) =>
        access(() => store.append(set, members).then(() => void log.push((again) => again.append(set, members)))),
      records: {
        ...store.records,
        put: (record) => {
          const write = (again: AudienceStore): Promise<unknown> => again.records.put(record);
          if (record.revision === 1) log.push(write);
          else later(write);
          return store.records.put(record);
        },
      },
    };
  };
  return { open: () => openGated(OPEN_GATE), openGated };
}
