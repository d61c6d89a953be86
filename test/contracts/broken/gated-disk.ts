// A memory store that reaches its disk through the gate of the suite, with a defect: each access may be held back, and may fail.

import {
  createStoreError,
  type DeletionStore,
  type DeliveryStore,
  type LaneBoard,
  type Outbox,
  type RecordStore,
  type StoreError,
} from "@postrider/core";
import { beginMemoryTransaction, createMemoryDisk, createMemoryStore, type MemoryDisk } from "@postrider/memory";
import { ALL_PARTS } from "../../memory/harness.js";
import type { StorageGate } from "@postrider/testkit/contracts";
import type { Storage } from "./storage.js";

/** One access to the disk. */
export type Access = <T>(call: () => Promise<T>) => Promise<T>;

/** A store on a disk, and how it reaches the disk. */
export interface DiskAccess {
  readonly store: DeliveryStore;
  readonly access: Access;
  readonly gate: StorageGate;
}

/** A storage whose stores have these methods in place of those that work. */
export function overGatedDisk(breakIt: (disk: DiskAccess) => Partial<DeliveryStore>): Storage {
  const disk = createMemoryDisk();
  const openGated = (gate: StorageGate): Promise<DeliveryStore> => {
    const [store, access] = [createMemoryStore({ disk, ...ALL_PARTS }), accessThrough(gate)];
    return Promise.resolve({ ...behindGate(store, access), ...breakIt({ store, access, gate }) });
  };
  const beginTransaction = () => Promise.resolve(beginMemoryTransaction(disk));
  return { open: () => openGated(OPEN_GATE), openGated, beginTransaction };
}

/** Opens a store that works, each call of which is one access. */
export function openBehindGate(disk: MemoryDisk, gate: StorageGate): Promise<DeliveryStore> {
  return Promise.resolve(behindGate(createMemoryStore({ disk, ...ALL_PARTS }), accessThrough(gate)));
}

export const OPEN_GATE: StorageGate = {
  pass: (access) => access(),
  fault: () => undefined,
  died: new Promise(() => undefined),
};

export function accessThrough(gate: StorageGate): Access {
  let stopped: StoreError | undefined;

  function failAt(at: "before" | "after"): void {
    const code = gate.fault(at);
    if (code === undefined) return;
    const error = createStoreError(code, `the disk fails as ${code}`);
    if (code === "corrupt") stopped = error;
    throw error;
  }

  return (call) =>
    gate.pass(async () => {
      if (stopped !== undefined) throw stopped;
      failAt("before");
      const answer = await call();
      failAt("after");
      return answer;
    });
}

export function behindGate(store: DeliveryStore, access: Access): DeliveryStore {
  const { deletions, records, laneChanges, board, outbox, hints } = store;
  const gated: DeliveryStore = {
    commit: (changes, now) => access(() => store.commit(changes, now)),
    claim: (request, now) => access(() => store.claim(request, now)),
    lanes: (page, now) => access(() => store.lanes(page, now)),
    end: (request, now) => access(() => store.end(request, now)),
    pullIn: (request, now) => access(() => store.pullIn(request, now)),
    find: (id) => access(() => store.find(id)),
    list: (query) => access(() => store.list(query)),
    seen: (query, now) => access(() => store.seen(query, now)),
    counts: () => access(() => store.counts()),
    sweep: (request, now) => access(() => store.sweep(request, now)),
    close: () => store.close(),
  };
  return {
    ...gated,
    ...(records && { records: recordsBehindGate(records, access) }),
    ...(laneChanges && { laneChanges: { read: (query) => access(() => laneChanges.read(query)) } }),
    ...(board && { board: boardBehindGate(board, access) }),
    ...(deletions && { deletions: deletionsBehindGate(deletions, access) }),
    ...(outbox && { outbox: outboxBehindGate(outbox, access) }),
    ...(hints && { hints: { ...hints, tell: (lanes) => access(() => hints.tell(lanes)) } }),
  };
}

export function recordsBehindGate(records: RecordStore, access: Access): RecordStore {
  return {
    put: (record) => access(() => records.put(record)),
    find: (kind, key, above) => access(() => records.find(kind, key, above)),
    list: (query) => access(() => records.list(query)),
    remove: (kind, key) => access(() => records.remove(kind, key)),
  };
}

export function boardBehindGate(board: LaneBoard, access: Access): LaneBoard {
  return {
    beat: (request, now) => access(() => board.beat(request, now)),
    write: (rows) => access(() => board.write(rows)),
    leave: (process) => access(() => board.leave(process)),
  };
}

export function outboxBehindGate(outbox: Outbox, access: Access): Outbox {
  return {
    add: (call, run) => outbox.add(call, run),
    read: (query) => access(() => outbox.read(query)),
    count: (query) => access(() => outbox.count(query)),
    remove: (ids) => access(() => outbox.remove(ids)),
  };
}

function deletionsBehindGate(deletions: DeletionStore, access: Access): DeletionStore {
  return {
    open: (deletion, now) => access(() => deletions.open(deletion, now)),
    purge: (slice, now) => access(() => deletions.purge(slice, now)),
    finish: (id, now) => access(() => deletions.finish(id, now)),
    find: (id) => access(() => deletions.find(id)),
    list: (query) => access(() => deletions.list(query)),
    suppressed: (query) => access(() => deletions.suppressed(query)),
  };
}
