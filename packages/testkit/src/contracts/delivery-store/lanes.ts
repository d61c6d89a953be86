// Cases of `lanes`: it reports the lanes that have unfinished deliveries, how many, when the next is due, and the earliest
// first attempt, from which the retry window counts that ends first.

import { destinationId, type LaneRow, epochMs, type EpochMs } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { bytes, DEAD, DELIVERED, waitingDelivery, attempt, releasedOutcome, rescheduledOutcome } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const LANE_PAGE_CASES: readonly StoreCase[] = [
  {
    name: "a lane reports its unfinished deliveries, their bytes, and when the next can be claimed",
    async play(scene) {
      const { lane } = scene;
      await scene.acceptOne({ body: bytes("123"), deliveries: [waitingDelivery(lane, scene.later(70))] });
      await scene.acceptOne({ body: bytes("12345"), deliveries: [waitingDelivery(lane, scene.later(60))] });
      await scene.finish(DELIVERED);
      await scene.finish(DEAD);
      expectEqual(await sceneRows(scene), [{ lane, deliveries: 2, bytes: 8, nextDueAt: scene.later(60) }], "the lane");
    },
  },
  {
    name: "a claimed delivery counts in its lane, and can be claimed again when its lease ends",
    async play(scene) {
      const { lane } = scene;
      await scene.acceptOne({ body: bytes("123") });
      await scene.claimOne();
      const expectedRows = [{ lane, deliveries: 1, bytes: 3, nextDueAt: scene.later(LEASE_MS) }];
      expectEqual(await sceneRows(scene), expectedRows, "the lane while its delivery is claimed");
      await scene.advance(LEASE_MS + 10);
      const rowsAfterLease = [{ lane, deliveries: 1, bytes: 3, nextDueAt: scene.later(-10) }];
      expectEqual(await sceneRows(scene), rowsAfterLease, "the lane when the lease is over");
    },
  },
  {
    name: "a lane whose deliveries are all delivered, dead or ended is not reported",
    async play(scene) {
      await scene.finish(DELIVERED);
      await scene.acceptOne();
      await scene.store().end({ lane: scene.lane, reason: "expired", limit: 5 }, scene.now());
      expectEqual(await sceneRows(scene), [], "the lanes");
    },
  },
  {
    name: "pages of lanes report each lane once, by its id",
    async play(scene) {
      const names = ["c", "a", "e", "b", "d"].map((name) => destinationId(`${scene.lane}-${name}`));
      await scene.accept({ deliveries: names.map((name) => waitingDelivery(name, scene.now())) });
      const laneIds = (await sceneRows(scene)).map((row) => row.lane);
      expectEqual(laneIds, names.toSorted(), "the lanes");
    },
  },
];

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 1_000;

/** The lanes of this scene; the storage may have others, of earlier cases. */
async function sceneRows(scene: Scene): Promise<readonly LaneRow[]> {
  const rows: LaneRow[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const lastRow = rows.at(-1);
    const request = lastRow === undefined ? { limit: 3 } : { after: lastRow.lane, limit: 3 };
    const { lanes, more } = await scene.store().lanes(request, scene.now());
    expectThat(lanes.length <= 3, "a page of lanes has more lanes than its limit");
    rows.push(...lanes);
    if (!more) break;
  }
  return rows.filter((row) => row.lane.startsWith(scene.lane));
}

export const FIRST_ATTEMPT_CASES: readonly StoreCase[] = [
  {
    name: "a lane of which no delivery was tried reports no first attempt",
    async play(scene) {
      await scene.finish(releasedOutcome(scene.later(900)));
      await scene.acceptOne();
      expectEqual(await firstAttempt(scene), undefined, "while they wait");
      await scene.claim();
      expectEqual(await firstAttempt(scene), undefined, "while one is claimed");
    },
  },
  {
    name: "a lane reports the earliest first attempt of its unfinished deliveries, to the millisecond",
    async play(scene) {
      for (const startedAt of [scene.later(70), scene.later(-60_001), scene.later(20)])
        await acceptTried(scene, startedAt);
      expectEqual(await firstAttempt(scene), scene.later(-60_001), "the first attempt");
      await acceptTried(scene, epochMs(0));
      expectEqual(await firstAttempt(scene), epochMs(0), "the first attempt, if it was in 1970");
      expectEqual(await firstAttempt(scene, scene.otherLane), undefined, "that of another lane");
    },
  },
  {
    name: "further rounds and late attempts do not change the first attempt that a lane reports",
    async play(scene) {
      const [firstAt, secondAt] = [scene.now(), scene.later(-900)];
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts: [attempt(firstAt)] });
      await scene.claimOne();
      const attempts = [attempt(secondAt, { round: 2 })];
      await scene.settle({ id, outcome: rescheduledOutcome(scene.later(900)), attempts });
      await scene.commit({ append: [{ id, attempt: attempt(scene.later(-950)) }] });
      expectEqual(await firstAttempt(scene), firstAt, "the first attempt");
    },
  },
  {
    name: "a lane reports the first attempts only of what is unfinished",
    async play(scene) {
      await acceptTried(scene, scene.later(-50));
      for (const [outcome, ms] of [[DELIVERED, -70] as const, [DEAD, -80] as const])
        await scene.finish(outcome, { attempts: [attempt(scene.later(ms))] });
      expectEqual(await firstAttempt(scene), scene.later(-50), "beside what is delivered and dead");
      await scene.acceptOne();
      const request = { lane: scene.lane, reason: "expired", firstAttemptBefore: scene.later(-49), limit: 9 } as const;
      await scene.store().end(request, scene.now());
      expectEqual(await firstAttempt(scene), undefined, "once what was tried is ended");
    },
  },
  {
    name: "the replay of a delivery that was tried is not tried",
    async play(scene) {
      const id = await scene.finish(DEAD, { attempts: [attempt(scene.now())] });
      await scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
      expectEqual(await firstAttempt(scene), undefined, "the first attempt");
    },
  },
  {
    name: "a delivery that was tried counts as tried while it is claimed, and once its lease has ended",
    async play(scene) {
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts: [attempt(scene.later(-30))] });
      const startedAt = scene.later(-30);
      await scene.claimOne();
      expectEqual(await firstAttempt(scene), startedAt, "while it is claimed");
      await scene.advance(LEASE_MS + 10);
      expectEqual(await firstAttempt(scene), startedAt, "when its lease is over");
      await scene.claimOne();
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      expectEqual(await firstAttempt(scene), startedAt, "when its claim is given up");
    },
  },
];

/** Stores a delivery that was tried once and waits for its second round. */
async function acceptTried(scene: Scene, startedAt: EpochMs): Promise<void> {
  await scene.finish(rescheduledOutcome(scene.later(900_000)), { attempts: [attempt(startedAt)] });
}

async function firstAttempt(scene: Scene, lane = scene.lane): Promise<EpochMs | undefined> {
  const { lanes } = await scene.store().lanes({ limit: 100_000 }, scene.now());
  return lanes.find((row) => row.lane === lane)?.firstAttemptAt;
}
