// Reading lanes that other processes change: only the changes if the store reports them, and all lanes every half minute.

import { createStoreError, type DeliveryStore, type LaneChanges } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, destination, type Rig, type RigOptions, track, WEBSITE } from "../rig.js";

const MINUTE = 60_000;
const POLLED = 1_100;

interface Reads {
  all: number;
  changes: number;
}

/** A rig whose reads of lanes are counted, and whose changes are as `change` says. */
function watchedRig(change: (changes: LaneChanges) => Partial<LaneChanges> = () => ({}), options: RigOptions = {}) {
  const reads: Reads = { all: 0, changes: 0 };
  const wrapStore = ({ laneChanges, ...store }: DeliveryStore): DeliveryStore => {
    if (laneChanges === undefined) throw new Error("the memory store tells no changes");
    const { read } = { ...laneChanges, ...change(laneChanges) };
    return {
      ...store,
      lanes: (page, now) => {
        reads.all += 1;
        return store.lanes(page, now);
      },
      laneChanges: {
        read: (query) => {
          reads.changes += 1;
          return read(query);
        },
      },
    };
  };
  return { rig: createRig({ ...options, wrapStore }), reads };
}

/** Stores a call as another process that sends nothing: its destination is paused there. */
async function storeElsewhere(rig: Rig, messageId: string): Promise<void> {
  const otherRelay = rig.join();
  otherRelay.configure(rig.workspace([destination("crm", ["a"], { paused: true })]))._unsafeUnwrap();
  await rig.answer(otherRelay.accept({ source: WEBSITE, calls: [track({ messageId })] }));
}

describe("a relay on a store that tells which lanes have changed", () => {
  it("reads all lanes at its start and then every half minute", async () => {
    const { rig, reads } = watchedRig();
    await rig.advance(2 * MINUTE - 500);
    expect(reads.all).toBe(4);
    expect(reads.changes).toBeGreaterThan(100);
  });

  it("finds what another process has stored at its next poll", async () => {
    const { rig, reads } = watchedRig(() => ({}), { receivers: { a: { status: 200 } } });
    await rig.advance(5_500);
    await storeElsewhere(rig, "m1");
    const readBefore = reads.all;
    await rig.advance(POLLED);
    expect([(await rig.only()).state, reads.all - readBefore]).toEqual(["delivered", 0]);
  });

  it("knows that another process has delivered what waited in a lane", async () => {
    const paused = [destination("crm", ["a"], { paused: true })];
    const { rig } = watchedRig(() => ({}), { receivers: { a: { status: 200 } }, destinations: paused });
    await rig.accept(track());
    const waitingCount = (): number | undefined => rig.relay().lanes()[0]?.deliveries;
    await rig.advance(1_500);
    expect(waitingCount()).toBe(1);
    rig
      .join()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    await rig.advance(2 * POLLED);
    expect([(await rig.only()).state, waitingCount()]).toEqual(["delivered", 0]);
  });

  it("reads all lanes at once if the store does not know what has changed since", async () => {
    let isLost = false;
    const { rig, reads } = watchedRig((changes) => ({
      read: (query) => (isLost && query.after !== undefined ? Promise.resolve(undefined) : changes.read(query)),
    }));
    await rig.advance(5_500);
    const readBefore = reads.all;
    isLost = true;
    await rig.advance(1_000);
    expect(reads.all - readBefore).toBe(1);
  });

  it("goes on with what it has not read once the store answers again", async () => {
    let isBusy = false;
    const { rig } = watchedRig(
      (changes) => ({
        read: (query) => (isBusy ? Promise.reject(createStoreError("busy", "busy")) : changes.read(query)),
      }),
      { receivers: { a: { status: 200 } } },
    );
    await rig.advance(5_500);
    isBusy = true;
    await storeElsewhere(rig, "m1");
    await rig.advance(3 * POLLED);
    expect((await rig.only()).state).toBe("waiting");
    isBusy = false;
    await rig.advance(POLLED);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("tells of a lane whose destination was removed, although nothing in it has changed", async () => {
    const { rig } = watchedRig(() => ({}), { destinations: [destination("crm", ["a"], { paused: true })] });
    await rig.accept(track());
    await rig.advance(3_500);
    rig.relay().configure(rig.workspace([]))._unsafeUnwrap();
    await rig.advance(POLLED);
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "orphaned", destination: "crm", deliveries: 1 }));
  });
});
