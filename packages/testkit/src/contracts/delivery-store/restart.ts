// Cases of a storage after a crash or with damage. All that was committed is there unchanged; a damaged storage is
// refused, fails as corrupt, or has all that was stored, and is never empty.

import { defined } from "@postrider/core/engine";
import type { DeliveryRecord } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import {
  attempt,
  DEAD,
  DELIVERED,
  endpointState,
  refusingOnce,
  everyByteValue,
  rescheduledOutcome,
  waitingDelivery,
  bytes,
} from "./samples.js";
import { LEASE_MS, type StoreCase, type Scene } from "./scene.js";

export const RESTARTING_CASES: readonly StoreCase[] = [
  {
    name: "an accepted message survives a crash right after the commit, byte for byte",
    needs: ["restart"],
    async play(scene) {
      const id = await scene.acceptOne({ body: everyByteValue() });
      const record = await scene.record(id);
      await scene.crash();
      expectEqual(await scene.record(id), record, "the delivery after the crash");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "its body as claimed");
    },
  },
  {
    name: "a settlement survives a crash, with its attempts, endpoints and window",
    needs: ["restart"],
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const attempts = [attempt(scene.later(3)), attempt(scene.later(1))];
      const endpoints = [endpointState("a", true, everyByteValue()), refusingOnce("b", scene.later(2))];
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts, endpoints });
      const record = await scene.record(id);
      await scene.crash();
      expectEqual(await scene.record(id), record, "the delivery after the crash");
      const { rounds, firstAttemptAt } = await scene.claimOne();
      expectEqual({ rounds, firstAttemptAt }, { rounds: 1, firstAttemptAt: scene.later(1) }, "rounds and window");
    },
  },
  {
    name: "a final state survives a crash right after its settlement",
    needs: ["restart"],
    async play(scene) {
      const [deliveredId, deadId] = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      await scene.crash();
      expectEqual((await scene.record(deliveredId)).state, "delivered", "the state of the delivered one");
      expectEqual((await scene.record(deadId)).state, "dead", "the state of the dead one");
    },
  },
  {
    name: "a lease survives a crash: it is valid until its time, its token still settles, and then it ends",
    needs: ["restart"],
    async play(scene) {
      const [settledId, lapsedId] = [await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      const token = scene.claimToken();
      await scene.crash();
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [], "what is claimed while the lease lives");
      expectEqual(
        await scene.settle({ id: settledId, token, outcome: DELIVERED }),
        "settled",
        "a settlement after the crash",
      );
      await scene.advance(LEASE_MS);
      expectEqual(
        await scene.claimIds({ token: scene.token("second") }),
        [lapsedId],
        "what is claimed after the lease",
      );
    },
  },
  {
    name: "message ids are remembered after a crash",
    needs: ["restart"],
    async play(scene) {
      await scene.accept({ messageId: "known" });
      await scene.crash();
      const { accepted } = await scene.commit({ accept: [scene.message({ messageId: "known" })] });
      expectEqual(accepted, [{ kind: "duplicate" }], "the answer to the second");
    },
  },
  {
    name: "counters survive a crash",
    needs: ["restart"],
    async play(scene) {
      await scene.finish(DELIVERED);
      await scene.accept({ messageId: "known" });
      await scene.commit({
        accept: [scene.message({ messageId: "known" })],
        tally: [{ source: scene.source, refused: 1, suppressed: 2, shed: 3 }],
      });
      const counts = { accepted: 2, waiting: 1, delivered: 1, duplicates: 1, refused: 1, suppressed: 2, shed: 3 };
      await scene.expectCounts(counts, "before the crash");
      await scene.crash();
      await scene.expectCounts(counts, "after the crash");
    },
  },
  {
    name: "replays and late attempts survive a crash",
    needs: ["restart"],
    async play(scene) {
      const oldId = await scene.finish(DEAD);
      await scene.commit({ replay: [{ of: oldId, start: { kind: "waiting", dueAt: scene.now() } }] });
      await scene.commit({ append: [{ id: oldId, attempt: attempt(scene.now()) }] });
      await scene.crash();
      expectEqual((await scene.record(oldId)).attemptCount, 1, "the attempts of the old delivery");
      const { deliveries } = await scene.store().list({ source: scene.source, notReplayed: true, limit: 5 });
      expectEqual(
        deliveries.map((delivery) => delivery.replayOf),
        [oldId],
        "what the ones not replayed point at",
      );
      expectEqual((await scene.claimOne()).rounds, 0, "the rounds of the replay");
    },
  },
  {
    name: "deliveries that were ended, brought forward or swept stay so after a crash",
    needs: ["restart"],
    async play(scene) {
      const { lane, otherLane } = scene;
      const sweptId = await scene.finish(DELIVERED);
      const [endedId, pulledId] = await scene.accept({
        deliveries: [waitingDelivery(otherLane, scene.now()), waitingDelivery(lane, scene.later(900_000))],
      });
      await scene.advance(1);
      const nowMs = scene.now();
      const sweep = { deliveredBefore: nowMs, deadBefore: nowMs, limit: 1_000 };
      while ((await scene.store().sweep(sweep, nowMs)) === sweep.limit);
      await scene.store().end({ lane: otherLane, reason: "expired", limit: 5 }, nowMs);
      await scene.store().pullIn({ lane, dueAfter: scene.later(5), dueAt: nowMs, limit: 5 }, nowMs);
      await scene.crash();
      expectEqual(await scene.store().find(sweptId), undefined, "the delivery that was swept");
      expectEqual(await scene.claimIds({ lane: otherLane }), [], "what can be claimed of a lane that was ended");
      expectEqual((await scene.claimOne()).id, pulledId, "what was brought forward");
      const { deliveries } = await scene.store().list({ source: scene.source, states: ["dead"], limit: 5 });
      expectEqual(
        deliveries.map(({ id }) => id),
        [endedId],
        "what was ended",
      );
    },
  },
  {
    name: "ids made after a crash are new, and a cursor from before it is still valid",
    needs: ["restart"],
    async play(scene) {
      const [first, second] = [await scene.acceptOne(), await scene.acceptOne()];
      const { next } = await scene.store().list({ source: scene.source, limit: 1 });
      await scene.crash();
      const third = await scene.acceptOne();
      expectEqual(new Set([first, second, third]).size, 3, "how many ids differ");
      const page = await scene.store().list({ source: scene.source, limit: 5, ...defined({ after: next }) });
      expectEqual(
        page.deliveries.map((delivery) => delivery.id),
        [first],
        "the page behind the cursor",
      );
    },
  },
  {
    name: "a closed store opens again with all its contents",
    needs: ["restart"],
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.store().close();
      await scene.reopen();
      expectEqual(await scene.claimIds(), [id], "what is claimed after opening again");
    },
  },
];

/** The number of ways of damage that a harness must offer. */
const DAMAGES = 8;

const MESSAGES = 40;

export const DAMAGING_CASES: readonly StoreCase[] = [
  {
    name: "a damaged storage is refused, or fails as corrupt, or has all that was stored",
    needs: ["damage", "restart"],
    async play(scene) {
      const body = bytes("x".repeat(500));
      const ids = [];
      for (let count = 0; count < MESSAGES; count += 1) ids.push(await scene.acceptOne({ body }));
      const expected = await Promise.all(ids.map((id) => scene.record(id)));
      await scene.store().close();
      for (let damage = 1; damage <= DAMAGES; damage += 1) {
        await expectRefusedOrWhole(scene, expected, `in the storage that was damaged in the ${String(damage)}. way`);
      }
      await scene.reopen();
    },
  },
];

async function expectRefusedOrWhole(scene: Scene, expected: readonly DeliveryRecord[], what: string): Promise<void> {
  const pendingStore = scene.openDamaged();
  const code = await rejectionCodeOf(pendingStore);
  if (code !== undefined) {
    expectThat(code === "corrupt" || code === "unavailable", `opening ${what} rejected with another code or none`);
    return;
  }
  const store = await pendingStore;
  for (const record of expected) {
    const answer = await store.find(record.id).catch(() => "rejected");
    if (answer !== "rejected") expectEqual(answer, record, `a delivery ${what}`);
  }
  await store.close();
}
