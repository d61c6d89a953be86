// The end of a round after another event during it: another process has settled the delivery, the same process has claimed
// it again, the store is corrupt. Also the holds that a receiver may ask for with an answer that is no failure.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type Behaviour, createRig, HOUR, type Receiver, storeError, track, verdicts } from "./rig.js";
import { failElsewhere } from "./fail-elsewhere.js";

const MINUTE = 60_000;

/** A store that a test may use beside the relay. */
function sharedStore() {
  const stores: DeliveryStore[] = [];
  const wrapStore = (store: DeliveryStore): DeliveryStore => {
    stores.push(store);
    return store;
  };
  return { wrapStore, failElsewhere: (now: EpochMs) => failElsewhere(stores[0]!, now) };
}

describe("a Retry-After", () => {
  it.each([200, 202, 301, 400, 404, 410])("with a %i delays nothing", async (status) => {
    const rig = createRig({ receivers: { a: { status, retryAfter: "3600" } } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(100);
    expect(rig.seen).toHaveLength(2);
  });

  it.each([408, 423, 429, 500, 503])("with a %i is heeded", async (status) => {
    const rig = createRig({ receivers: { a: { status, retryAfter: "60" } } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(58_000);
    expect(rig.seen).toHaveLength(1);
  });
});

describe("a round whose settlement is stale", () => {
  it("records none of its attempts, those that end later included", async () => {
    const shared = sharedStore();
    const late: Behaviour = { status: 503, afterMs: 3_000 };
    const receivers = {
      a: { status: 200, afterMs: 500 },
      b: (({ nth }) => (nth === 1 ? late : { status: 200 })) as Receiver,
    };
    const rig = createRig({ ...shared, receivers });
    await rig.accept(track());
    await rig.advance(100);
    await shared.failElsewhere(rig.clock.wall());
    await rig.advance(MINUTE);
    expect(rig.events.filter(({ kind }) => kind === "stale")).toHaveLength(1);
    const { state, attempts } = await rig.only();
    expect(state).toBe("delivered");
    expect(verdicts(attempts.filter(({ round }) => round === 1))).toEqual(["a timeout retry"]);
  });
});

describe("a delivery that is claimed again while an earlier round of it is under way", () => {
  it("is known as under way until the later round has ended, and is not sent a third time", async () => {
    const shared = sharedStore();
    const receiver: Receiver = ({ nth }) =>
      nth === 1 ? { status: 503, afterMs: 3_000 } : { status: 200, afterMs: 4_900 };
    const rig = createRig({ ...shared, receivers: { a: receiver } });
    await rig.accept(track());
    await rig.advance(100);
    await shared.failElsewhere(rig.clock.wall());
    await rig.advance(2_000);
    expect(rig.seen).toHaveLength(2);
    // The earlier round has ended, the later one has not, and its lease ends by the clock: it is claimed again.
    await rig.advance(1_500);
    rig.clock.stepWall(3 * HOUR);
    await rig.advance(MINUTE);
    expect(rig.seen).toHaveLength(2);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });
});

describe("a store that turns out to be corrupt while a round is settled", () => {
  it("ends the round at once, and does not delay a stop", async () => {
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      commit: (changes, now) =>
        changes.settle.length > 0 ? Promise.reject(storeError("corrupt")) : store.commit(changes, now),
    });
    const rig = createRig({ wrapStore });
    await rig.accept(track());
    await rig.advance(100);
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "corrupt" });
    expect(rig.events.filter(({ kind }) => kind === "stale")).toHaveLength(1);
    let isStopped = false;
    void rig
      .relay()
      .stop()
      .then(() => (isStopped = true));
    await rig.advance(0);
    expect(isStopped).toBe(true);
  });
});
