// Attempts: which fields are stored, in which order they are shown, and those that end late.

import type { AttemptRecord } from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, DELIVERED, endpoint, rescheduledOutcome } from "./samples.js";
import type { StoreCase } from "./scene.js";

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
