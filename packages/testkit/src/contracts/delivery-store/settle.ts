// Cases of settlements: how each outcome changes a delivery, and which fields of its attempts are stored and in which
// order they are shown.

import type { AttemptRecord } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import {
  attempt,
  bytes,
  DEAD,
  DELIVERED,
  endpointState,
  refusingOnce,
  releasedOutcome,
  rescheduledOutcome,
  endpoint,
} from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const SETTLING_CASES: readonly StoreCase[] = [
  {
    name: "a delivered delivery is never due and never claimed again",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      const { state, detail, dueAt, reason } = await scene.record(id);
      expectEqual({ state, detail, dueAt, reason }, { state: "delivered", detail: "200" }, "the delivery");
      await scene.advance(2 * LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is claimed later");
    },
  },
  {
    name: "a dead delivery is never claimed again, and keeps its reason, its detail and its body",
    async play(scene) {
      const body = bytes('{"dead":true}');
      const id = await scene.finish(DEAD, { body });
      const { state, reason, detail, dueAt, body: storedBody } = await scene.record(id);
      const expected = { state: "dead", reason: "refused", detail: "404", dueAt: undefined, body };
      expectEqual({ state, reason, detail, dueAt, body: storedBody }, expected, "the delivery");
      await scene.advance(2 * LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is claimed later");
    },
  },
  {
    name: "a settlement as dead without a detail keeps the stored detail",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now(), "timeout"), attempts: [attempt(scene.now())] });
      await scene.claimOne();
      await scene.settle({ id, outcome: { kind: "dead", reason: "expired" } });
      const { reason, detail } = await scene.record(id);
      expectEqual({ reason, detail }, { reason: "expired", detail: "timeout" }, "the reason and the detail");
    },
  },
  {
    name: "a rescheduled delivery waits until it is due",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const dueAt = scene.later(400);
      await scene.settle({ id, outcome: rescheduledOutcome(dueAt), attempts: [attempt(scene.now())] });
      const { state, detail, dueAt: waitsUntil } = await scene.record(id);
      expectEqual({ state, detail, dueAt: waitsUntil }, { state: "waiting", detail: "503", dueAt }, "the delivery");
      await scene.advance(399);
      expectEqual(await scene.claimIds(), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      expectEqual(await scene.claimIds(), [id], "what is claimed when it is due");
    },
  },
  {
    name: "a release uses no round: window, detail and endpoints stay as they were",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      const untouched = await scene.claimOne();
      expectEqual(untouched.rounds, 0, "the rounds of what was never tried");
      expectThat(untouched.firstAttemptAt === undefined, "a release started the window");

      const endpoints = [endpointState("a", true, bytes("no"))];
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())], endpoints });
      const delivery = await scene.claimOne();
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      expectEqual((await scene.record(id)).detail, "503", "the detail after a release");
      expectEqual(await scene.claimOne(), delivery, "the delivery on its next claim");
    },
  },
  {
    name: "a released delivery waits until it is due",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.settle({ id, outcome: releasedOutcome(scene.later(200)) });
      expectEqual((await scene.record(id)).dueAt, scene.later(200), "when it is due");
      expectEqual(await scene.claimIds(), [], "what is claimed too early");
      await scene.advance(200);
      expectEqual(await scene.claimIds(), [id], "what is claimed when it is due");
    },
  },
  {
    name: "the window starts with the first recorded attempt, and only once",
    async play(scene) {
      const id = await scene.acceptOne();
      const startedAt = scene.later(7);
      await failRound(scene, [attempt(scene.later(9)), attempt(startedAt), attempt(scene.later(8))]);
      await scene.advance(30);
      await failRound(scene, [attempt(scene.later(-900))]);
      const { firstAttemptAt, rounds } = await scene.claimOne();
      expectEqual({ firstAttemptAt, rounds }, { firstAttemptAt: startedAt, rounds: 2 }, "the window and the rounds");
      expectEqual((await scene.record(id)).attemptCount, 4, "how many attempts are recorded");
    },
  },
  {
    name: "a settlement without attempts is no round and starts no window",
    async play(scene) {
      await scene.acceptOne();
      await failRound(scene, []);
      const { rounds, firstAttemptAt } = await scene.claimOne();
      expectEqual(rounds, 0, "the rounds");
      expectThat(firstAttemptAt === undefined, "the window started");
    },
  },
  {
    name: "the state of the endpoints is replaced as a whole",
    async play(scene) {
      const id = await scene.acceptOne();
      await failRound(scene, [attempt(scene.now())], [endpointState("a", true), endpointState("b", false)]);
      const secondStates = [endpointState("b", true, bytes("gone")), refusingOnce("c", scene.later(-1))];
      await failRound(scene, [attempt(scene.now())], secondStates);
      expectEqual((await scene.record(id)).endpoints, secondStates, "the endpoints as found");
      expectEqual((await scene.claimOne()).endpoints, secondStates, "the endpoints as claimed");
      const thirdStates = [endpointState("c", false, bytes("busy"))];
      await scene.settle({
        id,
        outcome: rescheduledOutcome(scene.now()),
        attempts: [attempt(scene.now())],
        endpoints: thirdStates,
      });
      expectEqual(
        (await scene.record(id)).endpoints,
        thirdStates,
        "the endpoints after one that had refused has failed",
      );
    },
  },
];

type SettleFields = Parameters<Scene["settle"]>[0];

/** Claims the only delivery that is due, and reschedules it at once with these failed attempts. */
async function failRound(
  scene: Scene,
  attempts: SettleFields["attempts"] & {},
  endpoints: SettleFields["endpoints"] & {} = [],
) {
  const { id } = await scene.claimOne();
  await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts, endpoints });
}

export const RECORDING_CASES: readonly StoreCase[] = [
  {
    name: "each attempt of a round is recorded with all its fields",
    async play(scene) {
      const at = scene.now();
      const attempts: readonly AttemptRecord[] = [
        attempt(at, { endpoint: endpoint("a"), result: { kind: "silent", fault: "timeout" }, durationMs: 5_000 }),
        attempt(at, { endpoint: endpoint("b"), result: { kind: "answered", status: 404 }, verdict: "refused" }),
        attempt(at, { endpoint: endpoint("c"), result: { kind: "silent", fault: "self-signed" }, verdict: "refused" }),
        attempt(at, { endpoint: endpoint("d"), result: { kind: "answered", status: 503 }, durationMs: 0 }),
        attempt(at, { endpoint: endpoint("e"), result: { kind: "answered", status: 204 }, verdict: "success" }),
      ];
      const record = await scene.record(await scene.finish(DELIVERED, { attempts }));
      expectEqual(record.attempts, attempts, "the attempts");
      expectEqual(record.attemptCount, 5, "how many attempts it says");
    },
  },
  {
    name: "attempts of all rounds are ordered by start, then by endpoint",
    async play(scene) {
      const id = await scene.acceptOne();
      const [firstAt, secondAt, thirdAt] = [scene.now(), scene.later(1), scene.later(2)];
      const [a, b] = [endpoint("a"), endpoint("b")];
      const firstRound = [
        attempt(secondAt, { endpoint: a }),
        attempt(firstAt, { endpoint: b }),
        attempt(firstAt, { endpoint: a }),
      ];
      const secondRound = [attempt(thirdAt, { round: 2, endpoint: b }), attempt(thirdAt, { round: 2, endpoint: a })];
      await scene.claimOne();
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: firstRound });
      await scene.claimOne();
      await scene.settle({ id, outcome: DELIVERED, attempts: secondRound });
      const { attempts } = await scene.record(id);
      expectEqual(
        attempts,
        [firstRound[2], firstRound[1], firstRound[0], secondRound[1], secondRound[0]],
        "the attempts",
      );
    },
  },
  {
    name: "an attempt that ended after its delivery was settled is added, and changes nothing else",
    async play(scene) {
      const roundAttempt = attempt(scene.now(), { endpoint: endpoint("a"), verdict: "success" });
      const id = await scene.finish(DELIVERED, { attempts: [roundAttempt] });
      const record = await scene.record(id);
      const lateAttempt = attempt(scene.now(), { endpoint: endpoint("b") });
      const { appended } = await scene.commit({ append: [{ id, attempt: lateAttempt }] });
      expectEqual(appended, ["appended"], "the answer");
      const expected = { ...record, attempts: [roundAttempt, lateAttempt], attemptCount: 2 };
      expectEqual(await scene.record(id), expected, "the delivery after it");
      await scene.expectCounts({ accepted: 1, delivered: 1 }, "after it");
    },
  },
  {
    name: "a late attempt starts no window and uses no round",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())] });
      await scene.commit({ append: [{ id, attempt: attempt(scene.later(-60)) }] });
      const { rounds, firstAttemptAt } = await scene.claimOne();
      expectEqual({ rounds, firstAttemptAt }, { rounds: 1, firstAttemptAt: scene.now() }, "the rounds and the window");
    },
  },
  {
    name: "a late attempt of a delivery that is gone is answered `gone`, and the rest is committed",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      const unknownId = "no such delivery" as typeof id;
      const append = [unknownId, id].map((deliveryId) => ({ id: deliveryId, attempt: attempt(scene.now()) }));
      const committed = await scene.commit({ accept: [scene.message()], append });
      expectEqual(committed.appended, ["gone", "appended"], "the answers");
      expectEqual(committed.accepted[0]?.kind, "stored", "the message beside them");
    },
  },
];
