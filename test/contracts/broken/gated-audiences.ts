// A memory store of audiences that reaches its disk through the gate of the suite: each access may be held back, and may fail.

import type { AudienceStore } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, type MemoryDisk } from "@postrider/memory";
import type { StorageGate } from "@postrider/testkit/contracts";
import type { AudienceStorage } from "../broken-audience-stores.js";
import { type Access, accessThrough, OPEN_GATE, recordsBehindGate } from "./gated-disk.js";

/** A store on a disk, and how it reaches the disk. */
export interface AudienceAccess {
  readonly store: AudienceStore;
  readonly access: Access;
  readonly gate: StorageGate;
}

/** A storage whose stores have these methods in place of those that work. */
export function overGatedAudiences(breakIt: (disk: AudienceAccess) => Partial<AudienceStore>): AudienceStorage {
  const disk = createMemoryDisk();
  const openGated = (gate: StorageGate): Promise<AudienceStore> => {
    const [store, access] = [createMemoryAudienceStore({ disk }), accessThrough(gate)];
    return Promise.resolve({ ...behindGate(store, access), ...breakIt({ store, access, gate }) });
  };
  const bounds = { maxMembers: 1_500 };
  const openCramped = (): Promise<AudienceStore> => Promise.resolve(createMemoryAudienceStore({ disk, bounds }));
  return { open: () => openGated(OPEN_GATE), openCramped, openGated };
}

/** Opens a store that works, each call of which is one access. */
export function openAudiencesBehindGate(disk: MemoryDisk, gate: StorageGate): Promise<AudienceStore> {
  return Promise.resolve(behindGate(createMemoryAudienceStore({ disk }), accessThrough(gate)));
}

function behindGate(store: AudienceStore, access: Access): AudienceStore {
  return {
    records: recordsBehindGate(store.records, access),
    append: (set, members) => access(() => store.append(set, members)),
    read: (set, after) => access(() => store.read(set, after)),
    sets: (prefix) => access(() => store.sets(prefix)),
    drop: (set) => access(() => store.drop(set)),
    erase: (set, userIds) => access(() => store.erase(set, userIds)),
    scrub: () => access(() => store.scrub()),
    close: () => store.close(),
  };
}
