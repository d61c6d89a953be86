// Cases of each method that takes `now`, in a store with a clock: instants that it stores are those of its clock, however wrong the clock of
// the caller is. The compiler asks for each method of the port that takes `now`.

import {
  type Changes,
  type CommitResult,
  type DeletionStore,
  type DeliveryId,
  type DeliveryStore,
  type EpochMs,
  epochMs,
  type LaneBoard,
} from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { DEAD, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { sweepInSlices } from "./sweep.js";
import { MAX_LATE_MS, WRONG_BY_MS } from "./store-clock.js";
import { type DeletionScene, deletionScene } from "./users.js";

/** The names of the methods of a port whose last argument is an instant. */
type TakesNow<Port> = keyof {
  [
    Name in keyof Port as Port[Name] extends (...args: infer Args) => unknown
      ? Args extends readonly [...unknown[], EpochMs]
        ? Name
        : never
      : never
  ]: true;
};

/** Every method of a delivery store that takes `now`. */
type TimedMethod = TakesNow<DeliveryStore> | `deletions.${TakesNow<DeletionStore>}` | `board.${TakesNow<LaneBoard>}`;

/** A caller whose clock is wrong, and the store with a clock that it calls. */
interface WrongCaller {
  readonly scene: Scene;
  readonly store: DeliveryStore;
  /** The time by the clock of the caller. */
  readonly now: () => EpochMs;
}

/** A promise about the instants that one method stores. */
interface TimedPromise {
  /** The promise, with "by the clock of a store" before it. */
  readonly name: string;
  readonly needs?: "deletions";
  /** Calls the method, and expects that what it stored has the time of the store. */
  readonly play: (caller: WrongCaller) => Promise<void>;
}

/** Empty: the method stores no instant that the port shows. Other cases try leases, due times, duplicates and which processes live. */
const PROMISES: Readonly<Record<TimedMethod, readonly TimedPromise[]>> = {
  commit: [
    {
      name: "a delivery ends when it is settled",
      play: (caller) => expectEndedNow(caller, settleDead),
    },
    {
      name: "a replay is accepted when it is stored",
      async play(caller) {
        const { scene } = caller;
        const replay = [{ of: await scene.finish(DEAD), start: waitingDelivery(scene.lane, scene.now()).start }];
        const [id] = (await commitBy(caller, { replay })).replayed;
        const { acceptedAt } = await scene.record(expectPresent(id, "the id of the replay"));
        expectNow(scene, acceptedAt, "the time at which the replay was accepted");
      },
    },
  ],
  claim: [],
  lanes: [],
  end: [
    {
      name: "a delivery that is ended ends at that time",
      play: (caller) => expectEndedNow(caller, endWaiting),
    },
  ],
  pullIn: [],
  seen: [],
  sweep: [],
  "deletions.open": [
    {
      name: "a request about users was made when it was stored",
      needs: "deletions",
      async play(caller) {
        const requestedAt = (await (await suppress(caller)).find())?.requestedAt;
        expectNow(caller.scene, expectPresent(requestedAt, "the request"), "the time of the request");
      },
    },
  ],
  "deletions.purge": [
    {
      name: "a delivery that is purged ends when it is purged",
      needs: "deletions",
      play: (caller) => expectEndedNow(caller, purgeWaiting),
    },
  ],
  "deletions.finish": [
    {
      name: "a request about users is finished at that time",
      needs: "deletions",
      async play(caller) {
        const { deletions, deletion, find, purge } = await suppress(caller);
        await purge();
        expectEqual(await deletions().finish(deletion("1"), caller.now()), true, "whether the request is finished");
        const finishedAt = (await find())?.finishedAt;
        expectNow(caller.scene, expectPresent(finishedAt, "the end of the request"), "the end of the request");
      },
    },
  ],
  "board.beat": [],
};

export const CALLER_CLOCK_CASES: readonly StoreCase[] = Object.values(PROMISES)
  .flat()
  .map(({ name, needs, play }) => ({
    name: `by the clock of a store ${name}, however wrong the clock of its caller is`,
    needs: needs === undefined ? ["clock"] : ["clock", needs],
    async play(scene) {
      const store = await scene.openWithClock();
      for (const wrongByMs of WRONG_BY_MS) {
        const newScene = scene.anew();
        await play({ scene: newScene, store, now: () => epochMs(newScene.now() + wrongByMs) });
      }
    },
  }));

function expectNow(scene: Scene, at: number, what: string): void {
  const lateMs = scene.now() - at;
  expectThat(Math.abs(lateMs) < MAX_LATE_MS, `${what} is ${String(lateMs)} ms before now by the clock of the store`);
}

/** Expects that a sweep of what ended at about this time removes the dead delivery, and one of what ended earlier does not. */
async function expectEndedNow(
  caller: WrongCaller,
  makeDead: (caller: WrongCaller) => Promise<DeliveryId>,
): Promise<void> {
  const { scene } = caller;
  await scene.advance(1);
  await sweepInSlices(scene);
  const id = await makeDead(caller);
  expectEqual((await scene.record(id)).state, "dead", "the delivery");
  await sweepInSlices(scene, scene.later(-MAX_LATE_MS));
  expectThat((await scene.store().find(id)) !== undefined, "it is swept as if it had ended long ago");
  await sweepInSlices(scene, scene.later(MAX_LATE_MS));
  expectThat((await scene.store().find(id)) === undefined, "it is not swept, as if it ended much later");
}

async function settleDead(caller: WrongCaller): Promise<DeliveryId> {
  const { scene, store } = caller;
  const id = await scene.acceptOne();
  const token = scene.newToken();
  await scene.claim({ token, store });
  await commitBy(caller, { settle: [{ id, token, outcome: DEAD, attempts: [], endpoints: [] }] });
  return id;
}

/** Commits with the time of the caller. */
function commitBy({ scene, store, now }: WrongCaller, changes: Partial<Changes>): Promise<CommitResult> {
  const lease = { token: scene.newToken(), leaseMs: LEASE_MS };
  return store.commit({ accept: [], replay: [], settle: [], append: [], tally: [], lease, ...changes }, now());
}

async function endWaiting({ scene, store, now }: WrongCaller): Promise<DeliveryId> {
  const id = await scene.acceptOne();
  await store.end({ lane: scene.lane, reason: "expired", limit: 1 }, now());
  return id;
}

async function purgeWaiting(caller: WrongCaller): Promise<DeliveryId> {
  const { user, open, purge } = deletionsBy(caller);
  const userIds = [user("ann")];
  const id = await caller.scene.acceptOne({ userIds });
  await open({ userIds });
  await purge();
  return id;
}

/** Stores a request that purges nothing. */
async function suppress(caller: WrongCaller): Promise<DeletionScene> {
  const moves = deletionsBy(caller);
  await moves.open({ userIds: [moves.user("ann")], regulation: "suppress-only" });
  return moves;
}

/** Requests about users with the time of the caller. */
function deletionsBy({ scene: { source }, store, now }: WrongCaller): DeletionScene {
  return deletionScene({ source, store: () => store, now });
}
