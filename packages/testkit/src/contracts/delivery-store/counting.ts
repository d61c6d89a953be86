// The counters: changed in the same commit as the deliveries.

import { countsBalance } from "@postrider/core/engine";
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
      const of = await scene.finish(DELIVERED);
      await scene.commit({ replay: [{ of, start: { kind: "waiting", dueAt: scene.now() } }] });
      const counts = { accepted: 5, filtered: 1, waiting: 3, delivered: 1, duplicates: 1 };
      await scene.expectCounts({ ...counts, received: 3 }, "in the end");
    },
  },
  {
    name: "a tally is added to the earlier counts",
    async play(scene) {
      const { source, otherSource } = scene;
      await scene.commit({ tally: [{ source, refused: 1, suppressed: 2, shed: 3 }] });
      const more = { source, refused: 10, suppressed: 20, shed: 30 };
      await scene.commit({ tally: [more, { ...more, source: otherSource, refused: 7 }, more] });
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
      await sweepAll(scene);
      expectEqual((await scene.store().list({ source: scene.source, limit: 5 })).deliveries, [], "what is left");
      await scene.expectCounts({ accepted: 2, delivered: 1, dead: 1 }, "after the sweep");
    },
  },
];

async function sweepAll(scene: Scene): Promise<void> {
  await scene.store().sweep({ deliveredBefore: scene.now(), deadBefore: scene.now(), limit: 1_000 }, scene.now());
}
