// Cases of a store with a clock: machines that share it may have any other time, and must not differ about what is due,
// whose lease has ended, and what is a duplicate.

import {
  type CommitResult,
  type DeliveryId,
  type DeliveryStore,
  type EpochMs,
  epochMs,
  type NewMessage,
  type SharedClock,
} from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { expectEqual, expectPresent } from "../check.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

/** The errors of the clocks of callers. */
export const WRONG_BY_MS: readonly number[] = [-HOUR_MS, HOUR_MS];

/** The most that an instant of the store clock may seem late on a busy machine: less than a caller is wrong. */
export const MAX_LATE_MS: number = HOUR_MS / 2;

export const KEEPING_TIME_CASES: readonly StoreCase[] = [
  {
    name: "a store with a clock tells the time, which goes on",
    needs: ["clock"],
    async play(scene) {
      const clock = clockOf(await scene.openWithClock());
      const firstAt = await clock.wall();
      await scene.advance(50);
      const secondAt = await clock.wall();
      expectEqual(
        secondAt - firstAt >= 50,
        true,
        `whether 50 ms are between ${String(firstAt)} and ${String(secondAt)}`,
      );
      expectNow(scene, secondAt, "what the clock tells");
    },
  },
  {
    name: "by the clock of a store a lease of a commit lasts its length, however wrong the clock of its caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of WRONG_BY_MS) {
        await expectHeld({ scene, store }, (clockScene, { ms }) => acceptClaimed(clockScene, wrongByMs, ms));
      }
    },
  },
  {
    name: "by the clock of a store a lease of a claim lasts its length, however wrong the clock of its caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of WRONG_BY_MS) {
        await expectHeld({ scene, store }, async (clockScene, { ms }) => {
          const id = await clockScene.scene.acceptOne();
          expectEqual(await claimIds(clockScene, wrongByMs, ms), [id], "what a caller with a wrong clock claims");
          return id;
        });
      }
    },
  },
  {
    name: "by the clock of a store a delivery is due on time, however wrong the clocks of callers are",
    needs: ["clock"],
    async play(scene) {
      await expectHeld({ scene, store: await scene.openWithClock() }, (clockScene, { endsAt }) => {
        const start = { kind: "waiting", dueAt: endsAt } as const;
        return clockScene.scene.acceptOne({ deliveries: [{ destination: clockScene.scene.lane, start }] });
      });
    },
  },
  {
    name: "by the clock of a store a message is a duplicate for a day, however far ahead the clock of the caller is",
    needs: ["clock"],
    async play(scene) {
      const { source } = scene;
      const clockScene = { scene, store: await scene.openWithClock() };
      await scene.accept({ messageId: "first" });
      const { accepted } = await commitAt(
        clockScene,
        { wrongByMs: 25 * HOUR_MS, leaseMs: LEASE_MS },
        scene.message({ messageId: "first", deliveries: [] }),
      );
      expectEqual(accepted[0]?.kind, "duplicate", "the answer to the second");
      const ahead = epochMs(scene.now() + 25 * HOUR_MS);
      const sightings = await clockScene.store.seen({ source, messageId: "first" }, ahead);
      expectEqual(sightings.length, 1, "how often the message is seen a day ahead");
    },
  },
  {
    name: "by the clock of a store what is under a lease is not ended, however far ahead the clock of the caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      const [endedCount, state] = await within({ scene, store }, async (clockScene, { ms }) => {
        const id = await acceptClaimed(clockScene, 0, ms);
        const ahead = epochMs(clockScene.scene.now() + HOUR_MS);
        const ending = { lane: clockScene.scene.lane, reason: "expired", acceptedBefore: ahead, limit: 10 } as const;
        return [await store.end(ending, ahead), (await clockScene.scene.record(id)).state] as const;
      });
      expectEqual(endedCount, 0, "how many were ended under their lease");
      expectEqual(state, "claimed", "the delivery");
    },
  },
];

/** A scene, and a store with a clock on its storage. */
interface ClockScene {
  readonly scene: Scene;
  readonly store: DeliveryStore;
}

/** A period by the clock of the store. */
interface Period {
  readonly ms: number;
  readonly endsAt: EpochMs;
}

/** Plays something within a period. If the period ends first, as on a busy machine, plays it anew within twice the time. */
async function within<T>(
  { scene, store }: ClockScene,
  play: (clockScene: ClockScene, period: Period) => Promise<T>,
): Promise<T> {
  const clock = clockOf(store);
  for (let ms = LEASE_MS; ms < HOUR_MS; ms *= 2) {
    const period = { ms, endsAt: epochMs((await clock.wall()) + ms) };
    const result = await play({ scene: scene.anew(), store }, period);
    if ((await clock.wall()) < period.endsAt) return result;
  }
  throw new Error("by its clock, the store needs an hour for a few calls");
}

/** Expects that a delivery can be claimed at the end of a period, and not before. `hold` stores it. */
async function expectHeld(
  outerScene: ClockScene,
  hold: (clockScene: ClockScene, period: Period) => Promise<DeliveryId>,
): Promise<void> {
  const { clockScene, id, ms, early } = await within(outerScene, async (clockScene, period) => {
    const id = await hold(clockScene, period);
    await clockScene.scene.advance(period.ms / 2);
    const early: DeliveryId[] = [];
    for (const wrongByMs of WRONG_BY_MS) early.push(...(await claimIds(clockScene, wrongByMs)));
    return { clockScene, id, ms: period.ms, early };
  });
  expectEqual(early, [], "what is claimed before its time");
  await clockScene.scene.advance(ms / 2 + 1);
  expectEqual(await claimIds(clockScene, -HOUR_MS), [id], "what is claimed at its time, by a caller an hour behind");
}

/** The claim of a caller whose clock is wrong. */
async function claimIds(
  { scene, store }: ClockScene,
  wrongByMs: number,
  leaseMs: number = LEASE_MS,
): Promise<readonly DeliveryId[]> {
  const lanes = [{ lane: scene.lane, limit: 10 }];
  const now = epochMs(scene.now() + wrongByMs);
  const { deliveries } = await store.claim({ token: scene.newToken(), leaseMs, lanes }, now);
  return deliveries.map(({ id }) => id);
}

/** Stores a message as claimed, by a caller whose clock is wrong. */
async function acceptClaimed(clockScene: ClockScene, wrongByMs: number, leaseMs: number): Promise<DeliveryId> {
  const { scene } = clockScene;
  const deliveries = [{ destination: scene.lane, start: { kind: "claimed" } }] as const;
  const [answer] = (await commitAt(clockScene, { wrongByMs, leaseMs }, scene.message({ deliveries }))).accepted;
  return expectPresent(answer?.kind === "stored" ? answer.deliveries[0] : undefined, "the delivery of a new message");
}

function commitAt(
  { scene, store }: ClockScene,
  { wrongByMs, leaseMs }: { readonly wrongByMs: number; readonly leaseMs: number },
  message: NewMessage,
): Promise<CommitResult> {
  const lease = { token: scene.newToken(), leaseMs };
  const now = epochMs(scene.now() + wrongByMs);
  return store.commit({ accept: [message], replay: [], settle: [], append: [], tally: [], lease }, now);
}

function expectNow(scene: Scene, at: number, what: string): void {
  const lateMs = at - scene.now();
  expectEqual(lateMs >= 0 && lateMs < MAX_LATE_MS, true, `${what}, ${String(lateMs)} ms late, is about now`);
}

function clockOf({ clock }: DeliveryStore): SharedClock {
  return expectPresent(clock, "the clock of a store that supports `clock`");
}
