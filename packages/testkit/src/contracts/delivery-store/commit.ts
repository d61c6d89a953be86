// Cases of whole commits: each arrival gets its answers, a delivery that is stored as claimed belongs to the lease of
// its commit, and every method answers with a promise.

import { type DeliveryId, deliveryId, type Body, type LeaseToken } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import {
  attempt,
  DEAD,
  DELIVERED,
  endpoint,
  rescheduledOutcome,
  bytes,
  claimedDelivery,
  releasedOutcome,
  waitingDelivery,
} from "./samples.js";
import { type Scene, type StoreCase, LEASE_MS } from "./scene.js";
import { callsOfEachMethod, type MethodCall } from "./each-method.js";

export const COMMITTING_CASES: readonly StoreCase[] = [
  {
    name: "a commit of many arrivals answers each list in its order",
    async play(scene) {
      const [deliveredId, deadId] = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const [first, second, third] = [await scene.acceptOne(), await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      await scene.accept({ messageId: "known" });
      const start = { kind: "waiting", dueAt: scene.later(500) } as const;
      const claimFields = { token: scene.claimToken(), attempts: [], endpoints: [] };
      const unknown = deliveryId("no such delivery");
      const committed = await scene.commit({
        accept: ["new", "known", "newer", "new"].map((messageId) => scene.message({ messageId })),
        settle: [
          { id: third, outcome: rescheduledOutcome(scene.later(500)), ...claimFields },
          { id: second, outcome: DELIVERED, ...claimFields, token: scene.token("forged") },
          { id: first, outcome: DEAD, ...claimFields },
        ],
        replay: [deadId, unknown, deliveredId].map((of) => ({ of, start })),
        append: [unknown, deliveredId].map((id) => ({ id, attempt: attempt(scene.now()) })),
      });
      expectEqual(committed.settled, ["settled", "stale", "settled"], "the answers to the settlements");
      expectEqual(await statesOf(scene, [first, second, third]), ["dead", "claimed", "waiting"], "what became of them");
      expectEqual(committed.appended, ["gone", "appended"], "the answers to late attempts");
      const [replayOfDead, replayOfUnknown, replayOfDelivered] = committed.replayed;
      expectThat(replayOfUnknown === undefined, "a delivery that never was is replayed");
      for (const [id, replayOf] of [[replayOfDead, deadId] as const, [replayOfDelivered, deliveredId] as const]) {
        expectEqual((await scene.record(expectPresent(id, "a replay"))).replayOf, replayOf, "what a replay repeats");
      }
      const kinds = committed.accepted.map(({ kind }) => kind);
      expectEqual(kinds, ["stored", "duplicate", "stored", "duplicate"], "the answers to the messages");
      const ids = committed.accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      const messageIds = await Promise.all(ids.map(async (id) => (await scene.record(id)).messageId));
      expectEqual(messageIds, ["new", "newer"], "the messages behind the deliveries answered");
    },
  },
  {
    name: "a settlement and a late attempt of one delivery go into one commit",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const roundAttempt = attempt(scene.now(), { endpoint: endpoint("a") });
      const lateAttempt = attempt(scene.now(), { endpoint: endpoint("b") });
      const committed = await scene.commit({
        settle: [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [roundAttempt], endpoints: [] }],
        append: [{ id, attempt: lateAttempt }],
      });
      expectEqual([committed.settled, committed.appended], [["settled"], ["appended"]], "the answers");
      const { state, attempts } = await scene.record(id);
      expectEqual(
        { state, attempts },
        { state: "delivered", attempts: [roundAttempt, lateAttempt] },
        "the delivery after it",
      );
    },
  },
  {
    name: "a delivery that a commit settles can be replayed by the same commit, and gets its late attempts",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const { settled, replayed, appended } = await scene.commit({
        append: [{ id, attempt: attempt(scene.now()) }],
        replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }],
        settle: [{ id, token: scene.claimToken(), outcome: DEAD, attempts: [], endpoints: [] }],
      });
      expectEqual([settled, appended], [["settled"], ["appended"]], "the answers to settlement and late attempt");
      expectThat(replayed[0] !== undefined, "a delivery that the same commit settles was not replayed");
      await scene.expectCounts({ accepted: 2, waiting: 1, dead: 1 }, "after it");
    },
  },
];

function statesOf(scene: Scene, ids: readonly DeliveryId[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await scene.record(id)).state));
}

export const HANDING_OFF_CASES: readonly StoreCase[] = [
  {
    name: "a delivery stored as claimed can be claimed again once its lease has ended, and not before",
    async play(scene) {
      const { id, token } = await handOff(scene);
      await scene.advance(LEASE_MS - 1);
      expectEqual(await scene.claimIds(), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      const { id: claimedId, rounds, dueAt } = await scene.claimOne();
      expectEqual(
        { claimedId, rounds, dueAt },
        { claimedId: id, rounds: 0, dueAt: scene.now() },
        "what is claimed then",
      );
      expectEqual(
        await scene.settle({ id, token, outcome: DELIVERED }),
        "stale",
        "the settlement by the process that stored it",
      );
    },
  },
  {
    name: "a delivery stored as claimed survives a crash: its token still settles it, and its lease ends on time",
    needs: ["restart"],
    async play(scene) {
      const body = bytes('{"hot":true}');
      const [settled, unsettled] = [await handOff(scene), await handOff(scene, body)];
      await scene.crash();
      expectEqual(await scene.claimIds(), [], "what is claimed while the lease lives");
      const attempts = [attempt(scene.now())];
      const answer = await scene.settle({ ...settled, outcome: DELIVERED, attempts });
      expectEqual(answer, "settled", "a settlement after the crash");
      await scene.advance(LEASE_MS);
      const { id, body: claimedBody } = await scene.claimOne();
      expectEqual({ id, claimedBody }, { id: unsettled.id, claimedBody: body }, "what is claimed after the lease");
    },
  },
  {
    name: "no claim hands out a delivery that a commit stores as claimed, at the same time or later",
    async play(scene) {
      const { lane } = scene;
      const deliveries = [claimedDelivery(lane), waitingDelivery(lane, scene.now()), claimedDelivery(lane)];
      const [ids, ...claims] = await Promise.all([
        scene.accept({ deliveries }),
        scene.claimIds({ token: scene.token("one") }),
        scene.claimIds({ token: scene.token("two") }),
      ]);
      const laterIds = await scene.claimIds({ token: scene.token("three") });
      expectEqual([...claims.flat(), ...laterIds], [ids[1]], "what all claims handed out");
    },
  },
  {
    name: "a delivery stored as claimed and then released waits like any other",
    async play(scene) {
      const { id, token } = await handOff(scene);
      expectEqual(await scene.settle({ id, token, outcome: releasedOutcome(scene.now()) }), "settled", "the release");
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "after the release");
      expectEqual((await scene.claimOne()).id, id, "what is claimed");
    },
  },
  {
    name: "a delivery stored as claimed counts in its lane, which is due when the lease ends",
    async play(scene) {
      const { lane } = scene;
      await handOff(scene, bytes("12345"));
      const { nextDueAt } = await scene.claim();
      expectEqual(nextDueAt.get(lane), scene.later(LEASE_MS), "when the lane is due, as a claim tells it");
      const page = await scene.store().lanes({ limit: 100_000 }, scene.now());
      const laneRow = page.lanes.find((row) => row.lane === lane);
      expectEqual(laneRow, { lane, deliveries: 1, bytes: 5, nextDueAt: scene.later(LEASE_MS) }, "the lane");
    },
  },
];

interface HandOff {
  readonly id: DeliveryId;
  readonly token: LeaseToken;
}

/** Stores a delivery as claimed. */
async function handOff(scene: Scene, body: Body = bytes("{}")): Promise<HandOff> {
  const id = await scene.acceptOne({ body, deliveries: [claimedDelivery(scene.lane)] });
  return { id, token: scene.commitToken() };
}

export const PROMISING_CASES: readonly StoreCase[] = [
  {
    name: "every method answers with a promise",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const call of callsOfEachMethod(scene, scene.store(), id))
        await promiseOf(call).catch(fail(`${call.name} rejects`));
    },
  },
  {
    name: "a method of a store that is closed throws nothing: its promise may reject, as a StoreError",
    async play(scene) {
      const [store, id] = [scene.store(), await scene.acceptOne()];
      await store.close();
      await scene.reopen();
      for (const call of callsOfEachMethod(scene, store, id)) {
        const error = await promiseOf(call).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const isStoreError = error === undefined || (error instanceof Error && "code" in error);
        expectThat(isStoreError, `${call.name} of a closed store rejects with what is no StoreError: ${String(error)}`);
      }
    },
  },
];

/** Fails if the method throws, or answers with what is no promise. */
function promiseOf({ name, call }: MethodCall): Promise<unknown> {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    throw new Error(`${name} throws, and should reject: ${String(error)}`);
  }
  expectThat(answer instanceof Promise, `${name} answers with what is no promise`);
  return answer;
}

function fail(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${what}: ${String(error)}`);
  };
}
