// Stores for the promises about replays that are to be made once. Each breaks one promise.

import type { Changes, CommitResult, DeliveryId, DeliveryStore, Replay } from "@postrider/core";
import type { BrokenStore } from "./broken-stores.js";
import { overGatedDisk } from "./broken/gated-disk.js";
import { overOneDisk, type Storage } from "./broken/storage.js";

const ONCE = "a replay that is to be made once is made unless an earlier one was, of whichever kind";

export const REPLAY_STORES: readonly BrokenStore[] = [
  {
    name: "makes a replay again that is to be made once",
    breaks: ONCE,
    create: () => overOneDisk(heeding(() => false)),
  },
  {
    name: "heeds only replays of earlier commits",
    breaks: ONCE,
    create: () => overOneDisk(heeding(({ of }, { before }) => before.has(of))),
  },
  {
    name: "heeds only replays that were to be made once",
    breaks: ONCE,
    create: () => overOneDisk(heeding(({ of }, { madeOnce }) => madeOnce.has(of))),
  },
  {
    name: "makes no replay after one that was to be made once",
    breaks: ONCE,
    create: () => overOneDisk(closingAfterOnce()),
  },
  {
    name: "heeds only replays that it still stores",
    breaks: "a delivery has been replayed for good, also once its replay was swept",
    create: () => overOneDisk(heedingStored),
  },
  {
    name: "looks for replays before it makes one that is to be made once",
    breaks: "two replays at the same time that are to be made once: one is made, between two processes",
    create: lookingBefore,
  },
];

interface KnownReplays {
  /** The deliveries that earlier commits have replayed. */
  readonly before: ReadonlySet<DeliveryId>;
  /** Those that were replayed by a replay that was to be made once. */
  readonly madeOnce: ReadonlySet<DeliveryId>;
}

/** Makes replays one by one, and leaves out those that are to be made once and are known by this rule. */
function heeding(isKnown: (replay: Replay, known: KnownReplays) => boolean): (store: DeliveryStore) => DeliveryStore {
  const [made, madeOnce] = [new Set<DeliveryId>(), new Set<DeliveryId>()];
  return (store) => ({
    ...store,
    commit: (changes, now) => {
      const known = { before: new Set(made), madeOnce };
      return replayingEach(store, changes, now, (replay) => {
        const isLeftOut = replay.once === true && isKnown(replay, known);
        if (!isLeftOut) made.add(replay.of);
        if (!isLeftOut && replay.once === true) madeOnce.add(replay.of);
        return isLeftOut ? undefined : again(replay);
      });
    },
  });
}

/** Makes no replay of any kind of what was replayed once. */
function closingAfterOnce(): (store: DeliveryStore) => DeliveryStore {
  const closed = new Set<DeliveryId>();
  return (store) => ({
    ...store,
    commit: (changes, now) =>
      replayingEach(store, changes, now, (replay) => {
        if (closed.has(replay.of)) return undefined;
        if (replay.once === true) closed.add(replay.of);
        return replay;
      }),
  });
}

/** Looks for the replays of a delivery among all that it stores. */
function heedingStored(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    commit: async (changes, now) => {
      const { deliveries } = await store.list({ limit: Infinity });
      const known = new Set(deliveries.map(({ replayOf }) => replayOf));
      return replayingEach(store, changes, now, (replay) => {
        if (replay.once !== true) return replay;
        if (known.has(replay.of)) return undefined;
        known.add(replay.of);
        return again(replay);
      });
    },
  };
}

/** Asks which deliveries were replayed in one access, and commits in the next. */
function lookingBefore(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const { deliveries } = await access(() => store.list({ notReplayed: true, limit: Infinity }));
      const fresh = new Set(deliveries.map(({ id }) => id));
      return access(() =>
        replayingEach(store, changes, now, (replay) => {
          if (replay.once !== true) return replay;
          return fresh.delete(replay.of) ? again(replay) : undefined;
        }),
      );
    },
  }));
}

/** The same replay, however often it was made. */
function again({ of, start }: Replay): Replay {
  return { of, start };
}

/** Commits the replays that `choose` answers, and then the rest. */
async function replayingEach(
  store: DeliveryStore,
  changes: Changes,
  now: Parameters<DeliveryStore["commit"]>[1],
  choose: (replay: Replay) => Replay | undefined,
): Promise<CommitResult> {
  const chosen = changes.replay.map(choose);
  const { replayed, ...rest } = await store.commit(
    { ...changes, replay: chosen.filter((replay) => replay !== undefined) },
    now,
  );
  const left = [...replayed];
  return { ...rest, replayed: chosen.map((replay) => (replay === undefined ? undefined : left.shift())) };
}
