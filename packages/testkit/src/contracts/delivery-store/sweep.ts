// Cases of counters, which change in the same commit as the deliveries, and of `sweep`, which removes old deliveries
// and must keep the others.

import { countsBalance } from "@postrider/core/engine";
import type { DeliveryId, EpochMs, SweepRequest } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import {
  attempt,
  claimedDelivery,
  DEAD,
  DELIVERED,
  laneFullDelivery,
  releasedOutcome,
  rescheduledOutcome,
  waitingDelivery,
  bytes,
} from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const COUNTING_CASES: readonly StoreCase[] = [
  {
    name: "the counters change with each step of a delivery",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "when it was stored");
      await scene.claimOne();
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "when it was claimed");
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "when it was released");
      await scene.claimOne();
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())] });
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "when it was rescheduled");
      await scene.claimOne();
      await scene.advance(LEASE_MS);
      await scene.claimOne({ token: scene.token("second") });
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "when it was claimed again after its lease");
      await scene.settle({ id, token: scene.token("second"), outcome: DELIVERED });
      await scene.expectCounts({ accepted: 1, delivered: 1 }, "when it was delivered");
    },
  },
  {
    name: "accepted = filtered + waiting + claimed + delivered + dead, and each equals the length of its list",
    async play(scene) {
      const { lane, otherLane, source } = scene;
      const filtered = [{ destination: otherLane, reason: "historical" }] as const;
      const deliveries = [waitingDelivery(lane, scene.now()), claimedDelivery(otherLane), laneFullDelivery(lane)];
      await scene.accept({ deliveries, filtered });
      await scene.accept({ deliveries: [claimedDelivery(lane), claimedDelivery(lane)] });
      await scene.finish(DELIVERED);
      await scene.finish(DEAD);
      await scene.acceptOne();
      await scene.store().end({ lane, reason: "expired", limit: 1 }, scene.now());
      const row = (await scene.store().counts()).find((counts) => counts.source === source);
      expectThat(row !== undefined && countsBalance(row), `the law does not hold: ${JSON.stringify(row)}`);
      for (const state of ["waiting", "claimed", "delivered", "dead"] as const) {
        const { deliveries: listed } = await scene.store().list({ source, states: [state], limit: 50 });
        expectEqual(listed.length, row[state], `how many are listed as ${state}`);
      }
    },
  },
  {
    name: "each source has separate counters",
    async play(scene) {
      const { otherSource } = scene;
      await scene.accept();
      await scene.accept({ source: otherSource, messageId: "one" });
      await scene.commit({ accept: [scene.message({ source: otherSource, messageId: "one" })] });
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "of the one source");
      await scene.expectCounts({ accepted: 1, waiting: 1, duplicates: 1 }, "of the other source", otherSource);
    },
  },
  {
    name: "a stored message counts as received once, for any number of destinations; duplicates and replays do not",
    async play(scene) {
      const { lane, otherLane } = scene;
      const message = scene.message({
        deliveries: [waitingDelivery(lane, scene.now()), waitingDelivery(otherLane, scene.now())],
      });
      const filtered = [{ destination: null, reason: "no-destination" }] as const;
      await scene.commit({ accept: [message, message, scene.message({ deliveries: [], filtered })] });
      const id = await scene.finish(DELIVERED);
      await scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
      const counts = { accepted: 5, filtered: 1, waiting: 3, delivered: 1, duplicates: 1 };
      await scene.expectCounts({ ...counts, received: 3 }, "in the end");
    },
  },
  {
    name: "a tally is added to the earlier counts",
    async play(scene) {
      const { source, otherSource } = scene;
      await scene.commit({ tally: [{ source, refused: 1, suppressed: 2, shed: 3 }] });
      const tally = { source, refused: 10, suppressed: 20, shed: 30 };
      await scene.commit({ tally: [tally, { ...tally, source: otherSource, refused: 7 }, tally] });
      await scene.expectCounts({ refused: 21, suppressed: 42, shed: 63 }, "of the one source");
      await scene.expectCounts({ refused: 7, suppressed: 20, shed: 30 }, "of the other source", otherSource);
    },
  },
  {
    name: "counters do not go down when deliveries are swept",
    async play(scene) {
      await scene.finish(DELIVERED);
      await scene.finish(DEAD);
      await scene.advance(2);
      await sweep(scene, {});
      expectEqual((await scene.store().list({ source: scene.source, limit: 5 })).deliveries, [], "what is left");
      await scene.expectCounts({ accepted: 2, delivered: 1, dead: 1 }, "after the sweep");
    },
  },
];

export const SWEEPING_CASES: readonly StoreCase[] = [
  {
    name: "a sweep removes deliveries that finished before an instant, one for delivered and one for dead ones",
    async play(scene) {
      await scene.advance(1);
      await sweepInSlices(scene);
      const receivedAt = scene.later(-100_000);
      const [deliveredId, deadId] = [
        await scene.finish(DELIVERED, { receivedAt }),
        await scene.finish(DEAD, { receivedAt }),
      ];
      expectEqual(await sweep(scene, {}), 0, "how many are swept at the instant at which they finished");
      await scene.advance(1);
      expectEqual(await sweep(scene, { deadBefore: scene.later(-1) }), 1, "how many delivered ones are swept later");
      expectEqual(await scene.store().find(deliveredId), undefined, "the delivered one");
      expectEqual((await scene.record(deadId)).state, "dead", "the dead one");
      expectEqual(await sweep(scene, { deliveredBefore: scene.later(-1) }), 1, "how many dead ones are swept later");
      expectEqual(await scene.store().find(deadId), undefined, "the dead one in the end");
    },
  },
  {
    name: "a sweep removes no more than its limit, and repeating it removes the rest",
    needs: ["exactSweeps"],
    async play(scene) {
      await scene.advance(1);
      await sweepInSlices(scene);
      for (const outcome of [DELIVERED, DEAD, DELIVERED, DEAD, DELIVERED]) await scene.finish(outcome);
      await scene.advance(1);
      const sweptCounts = [];
      for (let time = 0; time < 4; time += 1) sweptCounts.push(await sweep(scene, { limit: 2 }));
      expectEqual(sweptCounts, [2, 2, 1, 0], "how many each sweep removed");
      expectEqual((await scene.store().list({ source: scene.source, limit: 9 })).deliveries, [], "what is left");
    },
  },
  {
    name: "an unfinished delivery of any age is never swept",
    async play(scene) {
      const ids = await scene.accept({
        receivedAt: scene.later(-900_000_000),
        deliveries: [waitingDelivery(scene.lane, scene.later(-9)), waitingDelivery(scene.otherLane, scene.later(-9))],
      });
      await scene.claimOne();
      await scene.advance(5);
      await sweepInSlices(scene);
      const states = await Promise.all(ids.map(async (id) => (await scene.record(id)).state));
      expectEqual(states, ["claimed", "waiting"], "the states after the sweep");
    },
  },
  {
    name: "a body is removed with the last delivery that needs it, and not before",
    async play(scene) {
      const body = bytes('{"shared":true}');
      const deliveredId = await scene.finish(DELIVERED, { body });
      const start = { kind: "waiting", dueAt: scene.now() } as const;
      await scene.commit({ replay: [{ of: deliveredId, start }] });
      await scene.advance(1);
      await sweepInSlices(scene);
      expectEqual(await scene.store().find(deliveredId), undefined, "the delivery that was swept");
      const { id, body: claimedBody } = await scene.claimOne();
      expectEqual(claimedBody, body, "the body of the one that is left");
      await scene.settle({ id, outcome: DEAD });
      const { replayed } = await scene.commit({ replay: [{ of: id, start }] });
      expectThat(replayed[0] !== undefined, "a replay of a replay found no body");
      expectEqual((await scene.claimOne()).body, body, "the body of the replay's replay");
    },
  },
  {
    name: "a swept delivery is gone: no replay, no late attempt, no settlement",
    async play(scene) {
      const id = await sweptDelivery(scene);
      const result = { kind: "answered", status: 200 } as const;
      const lateAttempt = attempt(scene.now(), { result, verdict: "success" });
      const committed = await scene.commit({
        replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }],
        append: [{ id, attempt: lateAttempt }],
        settle: [
          { id, token: scene.commitToken(), outcome: rescheduledOutcome(scene.now()), attempts: [], endpoints: [] },
        ],
      });
      const answers = { ...committed, replayed: committed.replayed.filter((newId) => newId !== undefined) };
      const expected = { accepted: [], replayed: [], appended: ["gone"], settled: ["stale"] } as const;
      expectEqual(answers, expected, "the answers");
      await scene.expectCounts({ accepted: 1, delivered: 1 }, "after it");
    },
  },
  {
    name: "no id of a swept delivery is used again",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (let time = 0; time < 3; time += 1) ids.push(await sweptDelivery(scene));
      expectEqual(new Set(ids).size, 3, "how many ids differ");
    },
  },
];

function sweep(scene: Scene, fields: Partial<SweepRequest>): Promise<number> {
  const defaults = { deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 500 };
  return scene.store().sweep({ ...defaults, ...fields }, scene.now());
}

/** Stores a delivered delivery, and sweeps it. */
export async function sweptDelivery(scene: Scene): Promise<DeliveryId> {
  const id = await scene.finish(DELIVERED);
  await scene.advance(1);
  await sweepInSlices(scene);
  return id;
}

/** More slices than the data of all cases needs. */
const MAX_SLICES = 100;

/** Sweeps all deliveries that finished before an instant, those of earlier cases included. */
export async function sweepInSlices(scene: Scene, before: EpochMs = scene.now()): Promise<void> {
  const slice = { deliveredBefore: before, deadBefore: before };
  for (let count = 0; count < MAX_SLICES; count += 1) if ((await sweep(scene, slice)) < 500) return;
}
