// Delivery stores for the promises about records. Each breaks one promise.

import type { DeliveryStore, RecordStore } from "@postrider/core";
import type { BrokenStore } from "./broken-stores.js";
import { GATED_RECORDS, PLAIN_RECORDS } from "./broken-records.js";
import { accessThrough, OPEN_GATE, overGatedDisk, recordsBehindGate } from "./broken/gated-disk.js";
import { ALL, type BreakRecords } from "./broken/records.js";
import { overOneDisk } from "./broken/storage.js";

export const RECORD_STORES: readonly BrokenStore[] = [
  ...PLAIN_RECORDS.map(({ name, breaks, create }) => ({
    ...{ name, breaks },
    create: () => overOneDisk(breaking(create())),
  })),
  ...GATED_RECORDS.map(({ name, breaks, create }) => ({
    ...{ name, breaks },
    create: () => {
      const breakIt = create();
      return overGatedDisk(({ store, access, gate }) => {
        const stored = recordsIn(store);
        const records = recordsBehindGate(stored, access);
        return { records: { ...records, ...breakIt({ records, stored, access, gate }) } };
      });
    },
  })),
  {
    name: "hands out nothing of a paused lane",
    breaks: "the lane of a pause is claimed, counted and ended like any other: only the relay pauses it",
    create: () => overOneDisk(holdingPausedLanes),
  },
  {
    name: "claims the deliveries that are due when a record is put",
    breaks: "a record changes no delivery: one that it names is found, claimed and counted as before",
    create: () => overOneDisk(claimingWhilePutting),
  },
];

function recordsIn({ records }: DeliveryStore): RecordStore {
  if (records === undefined) throw new Error("a memory store has records");
  return records;
}

/** A store with broken records. */
function breaking(breakIt: BreakRecords): (store: DeliveryStore) => DeliveryStore {
  return (store) => {
    const records = recordsIn(store);
    const disk = { records, stored: records, access: accessThrough(OPEN_GATE), gate: OPEN_GATE };
    return { ...store, records: { ...records, ...breakIt(disk) } };
  };
}

/** Hands out nothing of a lane that has a pause. */
function holdingPausedLanes(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const pauses = await recordsIn(store).list({ kind: "pause", limit: ALL });
      const paused = new Set<string>(pauses.map(({ key }) => key));
      return store.claim({ ...request, lanes: request.lanes.filter(({ lane }) => !paused.has(lane)) }, now);
    },
  };
}

/** Takes away the deliveries that are due while a record is put. */
function claimingWhilePutting(store: DeliveryStore): DeliveryStore {
  const records = recordsIn(store);
  return {
    ...store,
    records: {
      ...records,
      put: async (record) => {
        const { lanes } = await store.lanes({ limit: 1_000 }, A_LONG_TIME as never);
        const asked = lanes.map(({ lane }) => ({ lane, limit: 1_000 }));
        await store.claim({ token: "record" as never, leaseMs: 1_000, lanes: asked }, A_LONG_TIME as never);
        return records.put(record);
      },
    },
  };
}

/** An instant at which each delivery of a case is due. */
const A_LONG_TIME = 2 ** 45;
