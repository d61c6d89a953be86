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

/** By how much the clocks of callers are wrong. */
const WRONG_BY_MS = [-HOUR_MS, HOUR_MS];

/** An instant may seem this late on a busy machine: by less than a caller is wrong. */
const TOLD_WITHIN_MS: number = HOUR_MS / 2;

export const KEEPING_TIME_CASES: readonly StoreCase[] = [
  {
    name: "a store with a clock tells the time, which goes on",
    needs: ["clock"],
    async play(scene) {
      const clock = clockOf(await scene.openWithClock());
      const first = await clock.wall();
      await scene.advance(50);
      const second = await clock.wall();
      expectEqual(second - first >= 50, true, `whether 50 ms are between ${String(first)} and ${String(second)}`);
      expectNow(scene, second, "what the clock tells");
    },
  },
  {
    name: "by the clock of a store a lease of a commit lasts its length, however wrong the clock of its caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of WRONG_BY_MS) {
        await expectHeld({ scene, store }, (shared, { ms }) => acceptClaimed(shared, wrongByMs, ms));
      }
    },
  },
  {
    name: "by the clock of a store a lease of a claim lasts its length, however wrong the clock of its caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of WRONG_BY_MS) {
        await expectHeld({ scene, store }, async (shared, { ms }) => {
          const id = await shared.scene.acceptOne();
          expectEqual(await claimIds(shared, wrongByMs, ms), [id], "what a caller with a wrong clock claims");
          return id;
        });
      }
    },
  },
  {
    name: "by the clock of a store a delivery is due on time, however wrong the clocks of callers are",
    needs: ["clock"],
    async play(scene) {
      await expectHeld({ scene, store: await scene.openWithClock() }, (shared, { endsAt }) => {
        const start = { kind: "waiting", dueAt: endsAt } as const;
        return shared.scene.acceptOne({ deliveries: [{ destination: shared.scene.lane, start }] });
      });
    },
  },
  {
    name: "by the clock of a store a message is a duplicate for a day, however far ahead the clock of the caller is",
    needs: ["clock"],
    async play(scene) {
      const { source } = scene;
      const shared = { scene, store: await scene.openWithClock() };
      await scene.accept({ messageId: "first" });
      const { accepted } = await commitAt(
        shared,
        { wrongByMs: 25 * HOUR_MS, leaseMs: LEASE_MS },
        scene.message({ messageId: "first", deliveries: [] }),
      );
      expectEqual(accepted[0]?.kind, "duplicate", "the answer to the second");
      const ahead = epochMs(scene.now() + 25 * HOUR_MS);
      const seen = await shared.store.seen({ source, messageId: "first" }, ahead);
      expectEqual(seen.length, 1, "how often the message is seen a day ahead");
    },
  },
  {
    name: "by the clock of a store what is under a lease is not ended, however far ahead the clock of the caller is",
    needs: ["clock"],
    async play(scene) {
      const store = await scene.openWithClock();
      const [ended, state] = await within({ scene, store }, async (shared, { ms }) => {
        const id = await acceptClaimed(shared, 0, ms);
        const ahead = epochMs(shared.scene.now() + HOUR_MS);
        const ending = { lane: shared.scene.lane, reason: "expired", acceptedBefore: ahead, limit: 10 } as const;
        return [await store.end(ending, ahead), (await shared.scene.record(id)).state] as const;
      });
      expectEqual(ended, 0, "how many were ended under their lease");
      expectEqual(state, "claimed", "the delivery");
    },
  },
];

/** A scene, and a store with a clock on its storage. */
interface Shared {
  readonly scene: Scene;
  readonly store: DeliveryStore;
}

/** A time by the clock of the store. */
interface Span {
  readonly ms: number;
  readonly endsAt: EpochMs;
}

/** Plays something within a time: anew within twice the time whenever it was over before, since a machine may be busy. */
async function within<T>({ scene, store }: Shared, play: (shared: Shared, span: Span) => Promise<T>): Promise<T> {
  const clock = clockOf(store);
  for (let ms = LEASE_MS; ms < HOUR_MS; ms *= 2) {
    const span = { ms, endsAt: epochMs((await clock.wall()) + ms) };
    const result = await play({ scene: scene.anew(), store }, span);
    if ((await clock.wall()) < span.endsAt) return result;
  }
  throw new Error("by its clock, the store needs an hour for a few calls");
}

/** Expects that a delivery can be claimed at the end of a time, and not before. `hold` stores it. */
async function expectHeld(onStore: Shared, hold: (shared: Shared, span: Span) => Promise<DeliveryId>): Promise<void> {
  const { shared, id, ms, early } = await within(onStore, async (shared, span) => {
    const id = await hold(shared, span);
    await shared.scene.advance(span.ms / 2);
    const early: DeliveryId[] = [];
    for (const wrongByMs of WRONG_BY_MS) early.push(...(await claimIds(shared, wrongByMs)));
    return { shared, id, ms: span.ms, early };
  });
  expectEqual(early, [], "what is claimed before its time");
  await shared.scene.advance(ms / 2 + 1);
  expectEqual(await claimIds(shared, -HOUR_MS), [id], "what is claimed at its time, by a caller an hour behind");
}

/** The claim of a caller whose clock is wrong. */
async function claimIds(
  { scene, store }: Shared,
  wrongByMs: number,
  leaseMs: number = LEASE_MS,
): Promise<readonly DeliveryId[]> {
  const lanes = [{ lane: scene.lane, limit: 10 }];
  const now = epochMs(scene.now() + wrongByMs);
  const { deliveries } = await store.claim({ token: scene.newToken(), leaseMs, lanes }, now);
  return deliveries.map(({ id }) => id);
}

/** Stores a message as claimed, by a caller whose clock is wrong. */
async function acceptClaimed(shared: Shared, wrongByMs: number, leaseMs: number): Promise<DeliveryId> {
  const { scene } = shared;
  const deliveries = [{ destination: scene.lane, start: { kind: "claimed" } }] as const;
  const [answer] = (await commitAt(shared, { wrongByMs, leaseMs }, scene.message({ deliveries }))).accepted;
  return expectPresent(answer?.kind === "stored" ? answer.deliveries[0] : undefined, "the delivery of a new message");
}

function commitAt(
  { scene, store }: Shared,
  { wrongByMs, leaseMs }: { readonly wrongByMs: number; readonly leaseMs: number },
  message: NewMessage,
): Promise<CommitResult> {
  const lease = { token: scene.newToken(), leaseMs };
  const now = epochMs(scene.now() + wrongByMs);
  return store.commit({ accept: [message], replay: [], settle: [], append: [], tally: [], lease }, now);
}

function expectNow(scene: Scene, at: number, what: string): void {
  const lateMs = at - scene.now();
  expectEqual(lateMs >= 0 && lateMs < TOLD_WITHIN_MS, true, `${what}, ${String(lateMs)} ms late, is about now`);
}

function clockOf({ clock }: DeliveryStore): SharedClock {
  return expectPresent(clock, "the clock of a store that supports `clock`");
}
