// Cases of each method that takes `now`, in a store with a clock: instants that it stores are those of its clock, however wrong the clock of
// the caller is. The compiler asks for each method of the port that takes `now`.

import {
  type DeletionId,
  type DeletionRecord,
  type DeletionStore,
  type DeliveryId,
  type DeliveryStore,
  type EpochMs,
  epochMs,
  type LaneBoard,
  type Regulation,
} from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { DEAD, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { sweepInSlices } from "./sweep.js";
import { deletionScene } from "./users.js";

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
      async play({ scene, store, now }) {
        const of = await scene.finish(DEAD);
        const lease = { token: scene.newToken(), leaseMs: LEASE_MS };
        const replay = [{ of, start: waitingDelivery(scene.lane, scene.now()).start }];
        const changes = { accept: [], settle: [], append: [], tally: [], replay, lease };
        const [id] = (await store.commit(changes, now())).replayed;
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
        const { requestedAt } = await storeRequest(caller, "suppress-only");
        expectNow(caller.scene, requestedAt, "the time of the request");
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
        const { id } = await storeRequest(caller, "suppress-only");
        const deletions = deletionsOf(caller);
        await purgeWhole(caller, id);
        expectEqual(await deletions.finish(id, caller.now()), true, "whether the request is finished");
        const finishedAt = (await deletions.find(id))?.finishedAt;
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
      for (const wrongByMs of [-HOUR_MS, HOUR_MS]) {
        const newScene = scene.anew();
        await play({ scene: newScene, store, now: () => epochMs(newScene.now() + wrongByMs) });
      }
    },
  }));

/** The most that an instant may differ from now: less than a caller is wrong. */
const TOLERANCE_MS: number = HOUR_MS / 2;

function expectNow(scene: Scene, at: number, what: string): void {
  const lateMs = scene.now() - at;
  expectThat(Math.abs(lateMs) < TOLERANCE_MS, `${what} is ${String(lateMs)} ms before now by the clock of the store`);
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
  await sweepInSlices(scene, scene.later(-TOLERANCE_MS));
  expectThat((await scene.store().find(id)) !== undefined, "it is swept as if it had ended long ago");
  await sweepInSlices(scene, scene.later(TOLERANCE_MS));
  expectThat((await scene.store().find(id)) === undefined, "it is not swept, as if it ended much later");
}

async function settleDead({ scene, store, now }: WrongCaller): Promise<DeliveryId> {
  const id = await scene.acceptOne();
  const token = scene.newToken();
  const lanes = [{ lane: scene.lane, limit: 1 }];
  await store.claim({ token, leaseMs: LEASE_MS, lanes }, scene.now());
  const settle = [{ id, token, outcome: DEAD, attempts: [], endpoints: [] }];
  const lease = { token: scene.newToken(), leaseMs: LEASE_MS };
  await store.commit({ accept: [], replay: [], append: [], tally: [], settle, lease }, now());
  return id;
}

async function endWaiting({ scene, store, now }: WrongCaller): Promise<DeliveryId> {
  const id = await scene.acceptOne();
  await store.end({ lane: scene.lane, reason: "expired", limit: 1 }, now());
  return id;
}

async function purgeWaiting(caller: WrongCaller): Promise<DeliveryId> {
  const { scene } = caller;
  const id = await scene.acceptOne({ userIds: [deletionScene(scene).user("ann")] });
  const request = await storeRequest(caller, "delete-only");
  await purgeWhole(caller, request.id);
  return id;
}

/** Stores a request of this regulation about the user `ann`, by the wrong clock. */
async function storeRequest(caller: WrongCaller, regulation: Regulation): Promise<DeletionRecord> {
  const { user, deletion } = deletionScene(caller.scene);
  const id = deletion("1");
  await deletionsOf(caller).open({ id, regulation, userIds: [user("ann")], sources: null }, caller.now());
  return expectPresent(await deletionsOf(caller).find(id), "the request as found");
}

/** More slices than a purge of all data of the suite needs. */
const MAX_SLICES = 10_000;

async function purgeWhole(caller: WrongCaller, id: DeletionId): Promise<void> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    if ((await deletionsOf(caller).purge({ id, limit: 500 }, caller.now())).isDone) return;
  }
  throw new Error("a purge does not end");
}

function deletionsOf({ store }: WrongCaller): DeletionStore {
  return expectPresent(store.deletions, "a store that supports `deletions`");
}
