// A wall clock that is wrong for a moment, or is set back while a decision by its old time is still on its way to the store:
// nothing waits for a time that was never intended (decision: clocks and decisions).

import type { DeliveryStore } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createRig, destination, HOUR, storeError, track } from "./rig.js";

const MINUTE = 60_000;
const failsOnce = { a: ({ nth }: { readonly nth: number }) => ({ status: nth === 1 ? 503 : 200 }) };

describe("a wall clock that is set back", () => {
  it("while a settlement is tried again delays its retry by no more than the longest delay", async () => {
    let isSettlementBusy = false;
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      commit: (changes, now) =>
        isSettlementBusy && changes.settle.length > 0 ? Promise.reject(storeError("busy")) : store.commit(changes, now),
    });
    const rig = createRig({ wrapStore, receivers: failsOnce });
    isSettlementBusy = true;
    await rig.accept(track());
    await rig.advance(200);
    rig.clock.stepWall(-5 * HOUR);
    // The lanes are polled meanwhile, and nothing in the store waits for too long yet.
    await rig.advance(3_000);
    isSettlementBusy = false;
    await rig.advance(2 * MINUTE);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("right after it was set forward, with a settlement in between, delays nothing either", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200, afterMs: 300 }) } });
    await rig.accept(track());
    await rig.advance(250);
    rig.clock.stepWall(3 * HOUR);
    await rig.advance(100);
    expect((await rig.only()).attemptCount).toBe(1);
    rig.clock.stepWall(-3 * HOUR);
    await rig.advance(2 * MINUTE);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("sends a delivery that was brought forward when it is due, even if the store is polled rarely", async () => {
    const rig = createRig({ receivers: failsOnce, relay: { pollMs: 2 * MINUTE } });
    await rig.accept(track());
    await rig.advance(1_000);
    rig.clock.stepWall(-5 * HOUR);
    // The next poll brings it forward to one lease from then.
    await rig.advance(2 * MINUTE + 31_000);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("between two slices of ending deliveries does not end one whose window is open by its new time", async () => {
    const slices: number[] = [];
    const wrapStore = (store: DeliveryStore, clock: ManualClock): DeliveryStore => ({
      ...store,
      end: async (request, now) => {
        const ended = await store.end(request, now);
        if (ended > 0 && slices.push(ended) === 1) clock.stepWall(-3 * HOUR);
        return ended;
      },
    });
    const paused = destination("crm", ["a"], { paused: true });
    const rig = createRig({ wrapStore, destinations: [paused], retention: { deliveredHours: 24, deadHours: 24 } });
    await rig.accept(...Array.from({ length: 300 }, (_, index) => track({ messageId: `m${String(index)}` })));
    rig.relay().configure(rig.workspace([]))._unsafeUnwrap();
    await rig.advance(24 * HOUR + 10 * MINUTE);
    expect(slices).toEqual([250]);
    await rig.advance(3 * HOUR);
    expect(slices).toEqual([250, 50]);
  });
});
