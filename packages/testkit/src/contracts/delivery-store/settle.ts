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
      const { state, reason, detail, dueAt, body: kept } = await scene.record(id);
      const dead = { state: "dead", reason: "refused", detail: "404", dueAt: undefined, body };
      expectEqual({ state, reason, detail, dueAt, body: kept }, dead, "the delivery");
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
      const { state, detail, dueAt: shown } = await scene.record(id);
      expectEqual({ state, detail, dueAt: shown }, { state: "waiting", detail: "503", dueAt }, "the delivery");
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
      const before = await scene.claimOne();
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      expectEqual((await scene.record(id)).detail, "503", "the detail after a release");
      expectEqual(await scene.claimOne(), before, "the delivery on its next claim");
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
      const second = [endpointState("b", true, bytes("gone")), refusingOnce("c", scene.later(-1))];
      await failRound(scene, [attempt(scene.now())], second);
      expectEqual((await scene.record(id)).endpoints, second, "the endpoints as found");
      expectEqual((await scene.claimOne()).endpoints, second, "the endpoints as claimed");
      const third = [endpointState("c", false, bytes("busy"))];
      await scene.settle({
        id,
        outcome: rescheduledOutcome(scene.now()),
        attempts: [attempt(scene.now())],
        endpoints: third,
      });
      expectEqual((await scene.record(id)).endpoints, third, "the endpoints after one that had refused has failed");
    },
  },
];

type Ended = Parameters<Scene["settle"]>[0];

/** Claims the only delivery that is due, and reschedules it at once with these failed attempts. */
async function failRound(scene: Scene, attempts: Ended["attempts"] & {}, endpoints: Ended["endpoints"] & {} = []) {
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
      const [early, late, later] = [scene.now(), scene.later(1), scene.later(2)];
      const [a, b] = [endpoint("a"), endpoint("b")];
      const first = [attempt(late, { endpoint: a }), attempt(early, { endpoint: b }), attempt(early, { endpoint: a })];
      const second = [attempt(later, { round: 2, endpoint: b }), attempt(later, { round: 2, endpoint: a })];
      await scene.claimOne();
      await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: first });
      await scene.claimOne();
      await scene.settle({ id, outcome: DELIVERED, attempts: second });
      const { attempts } = await scene.record(id);
      expectEqual(attempts, [first[2], first[1], first[0], second[1], second[0]], "the attempts");
    },
  },
  {
    name: "an attempt that ended after its delivery was settled is added, and changes nothing else",
    async play(scene) {
      const soon = attempt(scene.now(), { endpoint: endpoint("a"), verdict: "success" });
      const id = await scene.finish(DELIVERED, { attempts: [soon] });
      const before = await scene.record(id);
      const late = attempt(scene.now(), { endpoint: endpoint("b") });
      const { appended } = await scene.commit({ append: [{ id, attempt: late }] });
      expectEqual(appended, ["appended"], "the answer");
      const after = { ...before, attempts: [soon, late], attemptCount: 2 };
      expectEqual(await scene.record(id), after, "the delivery after it");
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
      const gone = "no such delivery" as typeof id;
      const append = [gone, id].map((of) => ({ id: of, attempt: attempt(scene.now()) }));
      const committed = await scene.commit({ accept: [scene.message()], append });
      expectEqual(committed.appended, ["gone", "appended"], "the answers");
      expectEqual(committed.accepted[0]?.kind, "stored", "the message beside them");
    },
  },
];
