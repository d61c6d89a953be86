// Hand-off: a delivery that is stored as claimed belongs to the lease of its commit, and can be claimed again when that
// lease ends.

import type { Body, DeliveryId, LeaseToken } from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, bytes, claimedDelivery, DELIVERED, releasedOutcome, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const HANDING_OFF_CASES: readonly StoreCase[] = [
  {
    name: "a delivery stored as claimed can be claimed again once its lease has ended, and not before",
    async play(scene) {
      const { id, token } = await handOn(scene);
      await scene.advance(LEASE_MS - 1);
      expectEqual(await scene.claimIds(), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      const { id: given, rounds, dueAt } = await scene.claimOne();
      expectEqual({ given, rounds, dueAt }, { given: id, rounds: 0, dueAt: scene.now() }, "what is claimed then");
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
      const [settles, ends] = [await handOn(scene), await handOn(scene, body)];
      await scene.crash();
      expectEqual(await scene.claimIds(), [], "what is claimed while the lease lives");
      const attempts = [attempt(scene.now())];
      const settled = await scene.settle({ ...settles, outcome: DELIVERED, attempts });
      expectEqual(settled, "settled", "a settlement after the crash");
      await scene.advance(LEASE_MS);
      const { id, body: kept } = await scene.claimOne();
      expectEqual({ id, kept }, { id: ends.id, kept: body }, "what is claimed after the lease");
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
      const later = await scene.claimIds({ token: scene.token("three") });
      expectEqual([...claims.flat(), ...later], [ids[1]], "what all claims handed out");
    },
  },
  {
    name: "a delivery stored as claimed and then released waits like any other",
    async play(scene) {
      const { id, token } = await handOn(scene);
      expectEqual(await scene.settle({ id, token, outcome: releasedOutcome(scene.now()) }), "settled", "the release");
      await scene.expectCounts({ accepted: 1, waiting: 1 }, "after the release");
      expectEqual((await scene.claimOne()).id, id, "what is claimed");
    },
  },
  {
    name: "a delivery stored as claimed counts in its lane, which is due when the lease ends",
    async play(scene) {
      const { lane } = scene;
      await handOn(scene, bytes("12345"));
      const { nextDueAt } = await scene.claim();
      expectEqual(nextDueAt.get(lane), scene.later(LEASE_MS), "when the lane is due, as a claim tells it");
      const page = await scene.store().lanes({ limit: 100_000 }, scene.now());
      const told = page.lanes.find((row) => row.lane === lane);
      expectEqual(told, { lane, deliveries: 1, bytes: 5, nextDueAt: scene.later(LEASE_MS) }, "the lane");
    },
  },
];

interface HandedOn {
  readonly id: DeliveryId;
  readonly token: LeaseToken;
}

/** Stores a delivery as claimed. */
async function handOn(scene: Scene, body: Body = bytes("{}")): Promise<HandedOn> {
  const id = await scene.acceptOne({ body, deliveries: [claimedDelivery(scene.lane)] });
  return { id, token: scene.commitToken() };
}
