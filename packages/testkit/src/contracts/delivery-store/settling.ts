// How each outcome changes a delivery.

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
