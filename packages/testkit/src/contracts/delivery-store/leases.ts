// Cases of leases: how long a claim is valid, how a claim is counted that was not settled in time, and which
// settlements are stale.

import { type DeliveryId, type Lapses, type LeaseToken, leaseToken, type ProcessId, holderOf } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DELIVERED, attempt, claimedDelivery, releasedOutcome, DEAD, rescheduledOutcome } from "./samples.js";
import { LEASE_MS, type StoreCase, type Scene } from "./scene.js";

export const LEASING_CASES: readonly StoreCase[] = [
  {
    name: "a lease ends only by time, and on time",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS - 1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [id], "what is claimed when the lease ends");
    },
  },
  {
    name: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      const { leaseUntil } = await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      const { state, dueAt } = await scene.record(id);
      expectEqual({ state, dueAt }, { state: "claimed", dueAt: leaseUntil }, "the delivery after its lease");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the lease");
      await scene.claimOne({ token: scene.token("second") });
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the second claim");
      expectEqual((await scene.record(id)).dueAt, scene.later(LEASE_MS), "the end of the second lease");
    },
  },
  {
    name: "a settlement after its lease has ended takes effect, unless the delivery was claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      expectEqual(await scene.settle({ id, outcome: DELIVERED }), "settled", "the late settlement");
      expectEqual(await scene.claimIds(), [], "what is left to claim");
    },
  },
];

export const LAPSING_CASES: readonly StoreCase[] = [
  {
    name: "a claim that was not settled is counted when its delivery is claimed again, with both processes and both times",
    async play(scene) {
      const id = await scene.acceptOne();
      const { leaseUntil } = await claimAs(scene, "first");
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses while the lease lives");
      await scene.advance(LEASE_MS + 7);
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses before it is claimed again");
      const takenAt = scene.now();
      const secondClaim = await claimAs(scene, "second");
      const firstLapse = { count: 1, process: nameOf("first"), leaseUntil, takenAt, takenBy: nameOf("second") };
      expectEqual(await lapsesOf(scene, id), firstLapse, "the lapses once it is");
      await scene.advance(LEASE_MS);
      const secondLapse = { process: nameOf("second"), leaseUntil: secondClaim.leaseUntil, takenAt: scene.now() };
      await claimAs(scene, "second");
      expectEqual(
        await lapsesOf(scene, id),
        { ...secondLapse, count: 2, takenBy: nameOf("second") },
        "those after a further one",
      );
    },
  },
  {
    name: "a delivery that was stored as claimed lapses too, and one whose lease is over when it is ended",
    async play(scene) {
      const token = tokenOf(scene, "first");
      const leaseUntil = scene.later(LEASE_MS);
      const deliveries = [claimedDelivery(scene.lane), claimedDelivery(scene.otherLane)];
      const accept = [scene.message({ deliveries })];
      const [answer] = (await scene.commit({ accept, lease: { token, leaseMs: LEASE_MS } })).accepted;
      const [reclaimedId, endedId] = answer?.kind === "stored" ? answer.deliveries : [];
      await scene.advance(LEASE_MS);
      await claimAs(scene, "second");
      await scene.store().end({ lane: scene.otherLane, reason: "destination-removed", limit: 1 }, scene.now());
      const lapse = { count: 1, process: nameOf("first"), leaseUntil, takenAt: scene.now() };
      expectEqual(await lapsesOf(scene, reclaimedId), { ...lapse, takenBy: nameOf("second") }, "the one claimed again");
      expectEqual(await lapsesOf(scene, endedId), lapse, "the one ended");
    },
  },
  {
    name: "a claim that was settled is not counted, late or released; what was counted stays, and a replay has none of it",
    async play(scene) {
      const id = await scene.acceptOne();
      await claimAs(scene, "first");
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      await claimAs(scene, "first");
      await scene.advance(LEASE_MS);
      expectEqual(await scene.settle({ id, outcome: releasedOutcome(scene.now()) }), "settled", "the late settlement");
      await claimAs(scene, "second");
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses after a release, and a late one");
      await scene.advance(LEASE_MS);
      await claimAs(scene, "third");
      await scene.settle({ id, outcome: DELIVERED, attempts: [attempt(scene.now())] });
      const { count, process } = (await lapsesOf(scene, id)) ?? {};
      expectEqual({ count, process }, { count: 1, process: nameOf("second") }, "the lapses once it is delivered");
      const { replayed } = await scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
      expectEqual(await lapsesOf(scene, replayed[0]), undefined, "the lapses of its replay");
    },
  },
];

/** A process of a case. The names begin alike, and are as long as the part of a token that names one. */
function nameOf(process: "first" | "second" | "third"): ProcessId {
  return holderOf(leaseToken(process.padStart(16, "-")));
}

let tokenCount = 0;

/** A new token of a process. */
function tokenOf({ source }: Scene, process: "first" | "second" | "third"): LeaseToken {
  tokenCount += 1;
  return leaseToken(`${nameOf(process)}${source}${String(tokenCount)}`);
}

function claimAs(scene: Scene, process: "first" | "second" | "third"): ReturnType<Scene["claimOne"]> {
  return scene.claimOne({ token: tokenOf(scene, process) });
}

async function lapsesOf(scene: Scene, id: DeliveryId | undefined): Promise<Lapses | undefined> {
  return id && (await scene.record(id)).lapses;
}

export const STALE_SETTLEMENT_CASES: readonly StoreCase[] = [
  {
    name: "a settlement is stale, and changes nothing, once another claim holds the delivery",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne({ token: scene.token("first") });
      await scene.advance(LEASE_MS);
      await scene.claimOne({ token: scene.token("second") });
      const record = await scene.record(id);
      const lateSettlement = { id, token: scene.token("first"), outcome: DELIVERED, attempts: [attempt(scene.now())] };
      expectEqual(await scene.settle(lateSettlement), "stale", "the settlement of the first claim");
      expectEqual(await scene.record(id), record, "the delivery after it");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after it");
      const answer = await scene.settle({ id, token: scene.token("second"), outcome: DEAD });
      expectEqual(answer, "settled", "the settlement of the second claim");
    },
  },
  {
    name: "a settlement under an unknown token is stale",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const answer = await scene.settle({ id, token: scene.token("forged"), outcome: DELIVERED });
      expectEqual(answer, "stale", "the answer");
      expectEqual((await scene.record(id)).state, "claimed", "the state after it");
    },
  },
  {
    name: "a delivery that is not claimed cannot be settled",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const token of [scene.commitToken(), scene.token("forged"), scene.token("")]) {
        const answer = await scene.settle({ id, token, outcome: DELIVERED });
        expectEqual(answer, "stale", "the answer");
      }
      expectEqual((await scene.record(id)).state, "waiting", "the state after it");
    },
  },
  {
    name: "a token settles at most once, in one commit or in two",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const fields = { id, token: scene.claimToken(), outcome: DELIVERED, endpoints: [] };
      const settle = [1, 2].map((endedAfter) => ({ ...fields, attempts: [attempt(scene.later(endedAfter))] }));
      expectEqual((await scene.commit({ settle })).settled, ["settled", "stale"], "two settlements in one commit");
      expectEqual((await scene.commit({ settle })).settled, ["stale", "stale"], "the same commit again");
      expectEqual((await scene.record(id)).attempts, [attempt(scene.later(1))], "the attempts recorded");
      await scene.expectCounts({ accepted: 1, delivered: 1 }, "after four settlements");
    },
  },
  {
    name: "a token is invalid once its delivery waits again",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const outcome of [releasedOutcome(scene.now()), rescheduledOutcome(scene.now())]) {
        await scene.claimOne();
        expectEqual(await scene.settle({ id, outcome }), "settled", `the ${outcome.kind} settlement`);
        expectEqual(await scene.settle({ id, outcome: DEAD }), "stale", `a settlement after it was ${outcome.kind}`);
      }
      expectEqual((await scene.record(id)).state, "waiting", "the state in the end");
    },
  },
  {
    name: "a stale settlement, or one of an unknown delivery, does not stop the rest of its commit",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const noAttempts = { attempts: [], endpoints: [] };
      const settle = [
        { id: "no such delivery" as typeof id, token: scene.claimToken(), outcome: DELIVERED, ...noAttempts },
        { id, token: scene.token("forged"), outcome: DEAD, ...noAttempts },
        { id, token: scene.claimToken(), outcome: DELIVERED, ...noAttempts },
      ];
      const committed = await scene.commit({ accept: [scene.message()], settle });
      expectEqual(committed.settled, ["stale", "stale", "settled"], "the settlements");
      expectEqual(committed.accepted[0]?.kind, "stored", "the message beside them");
      await scene.expectCounts({ accepted: 2, waiting: 1, delivered: 1 }, "after it");
    },
  },
];
