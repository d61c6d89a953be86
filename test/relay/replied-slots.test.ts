// From the last reply to the settlement: the slot of a delivery is free for another one, and the deliveries that wait for their
// settlement are bounded by the slots of the lane.

import type { DeliveryStore } from "@postrider/core";
import { MAX_LANE_IN_FLIGHT } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { UNSETTLED_PER_SLOT } from "../../packages/relay/src/limits.js";
import { createRig, type RigOptions, storeError, track } from "./rig.js";

const SECOND = 1_000;
const CALLS = 3_000;

/** A store whose commits with settlements are carried out only once it is let go. */
function heldSettlements() {
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const wrapStore = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: async (changes, now) => {
      if (changes.settle.length > 0) await gone;
      return store.commit(changes, now);
    },
  });
  return { wrapStore, letGo: () => letGo() };
}

async function rigWithCalls(options: RigOptions) {
  const rig = createRig(options);
  await rig.accept(...Array.from({ length: CALLS }, (_, index) => track({ messageId: `m${String(index)}` })));
  return rig;
}

describe("a slot whose delivery has its last reply", () => {
  it("is free before the settlement is durable, for four times as many deliveries as the lane has slots", async () => {
    const { wrapStore, letGo } = heldSettlements();
    const rig = await rigWithCalls({ receivers: { a: { status: 200 } }, wrapStore });
    await rig.advance(SECOND);
    const { seen } = rig;
    // These, and as many more as have slots, which they keep.
    expect(seen.length).toBe((UNSETTLED_PER_SLOT + 1) * MAX_LANE_IN_FLIGHT);
    expect((await rig.all()).filter(({ state }) => state === "delivered")).toHaveLength(0);
    letGo();
    await rig.advance(60 * SECOND);
    expect(new Set((await rig.all()).map(({ state }) => state))).toEqual(new Set(["delivered"]));
    expect(new Set(rig.seen.map(({ body }) => body)).size).toBe(CALLS);
    expect(rig.seen).toHaveLength(CALLS);
  });

  it("is not given to more requests to a receiver that fails than if settlements were durable at once", async () => {
    const requestsOf = async (options: RigOptions): Promise<number> => {
      const rig = await rigWithCalls({ receivers: { a: { status: 503 } }, ...options });
      await rig.advance(SECOND);
      return rig.seen.length;
    };
    const { wrapStore } = heldSettlements();
    expect(await requestsOf({ wrapStore })).toBeLessThanOrEqual(await requestsOf({}));
  });

  it("is still free if the settlement has to be tried again, and the delivery is settled once", async () => {
    let faults = 3;
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      commit: async (changes, now) => {
        if (changes.settle.length === 0 || faults === 0) return store.commit(changes, now);
        faults -= 1;
        throw storeError("unavailable");
      },
    });
    const rig = createRig({ receivers: { a: { status: 200 } }, wrapStore });
    await rig.accept(track());
    await rig.advance(10 * SECOND);
    expect(faults).toBe(0);
    expect(rig.events.filter(({ kind }) => kind === "delivered")).toHaveLength(1);
    expect(rig.seen).toHaveLength(1);
  });
});
