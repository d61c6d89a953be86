// Stores whose hints are broken: how a hint is told, how it arrives, and how listening ends.

import { createStoreError, type DestinationId } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { ALL_PARTS } from "../../memory/harness.js";
import { passMicrotasks, type Storage } from "./storage.js";

export type Lanes = readonly DestinationId[];

/** A listener of a process, in the order in which they came. */
export interface Listening {
  readonly store: object;
  readonly onHint: (lanes: Lanes) => void;
}

/** A defect of hints. What it does not name works. */
export interface HintDefect {
  /** The listeners that a hint of a store reaches. */
  readonly reaches?: (all: readonly Listening[], teller: object) => readonly Listening[];
  /** The lists that arrive for a told one; read when they arrive. */
  readonly arrives?: (lanes: Lanes) => readonly Lanes[];
  /** The listening that is left once one has ended. */
  readonly ends?: (all: readonly Listening[], ended: Listening) => readonly Listening[];
  readonly listens?: (all: readonly Listening[], begun: Listening) => readonly Listening[];
  /** The listening that is left once a store is closed. */
  readonly closes?: (all: readonly Listening[], store: object) => readonly Listening[];
  /** True if a hint on its way reaches a listener that has ended meanwhile. */
  readonly reachesEnded?: boolean;
  /** True if a hint on its way reaches the listeners of a store that has closed meanwhile. */
  readonly reachesClosed?: boolean;
  /** Calls the listeners of one hint. */
  readonly calls?: (round: Round) => void;
  readonly listensWhenClosed?: boolean;
  /** True if a store is closed for listeners only once it has answered. */
  readonly closesLate?: boolean;
  readonly hands?: Handing;
}

/** The list as which a listener hears a hint. The teller's is the caller's list in its own process, and a copy elsewhere. */
type Handing = "a copy" | "a copy of its store" | "a copy of all" | "what was told" | "the teller's";

/** A hint on its way to listeners. */
export interface Round {
  readonly heard: readonly Listening[];
  readonly isHeard: (one: Listening) => boolean;
  readonly call: (one: Listening) => void;
  readonly all: () => readonly Listening[];
  readonly setAll: (all: readonly Listening[]) => void;
}

export const ofOthers: NonNullable<HintDefect["reaches"]> = (all, teller) =>
  all.filter(({ store }) => store !== teller);

/** A storage whose hints have this defect. */
export function hintingWith(defect: HintDefect): () => Storage {
  const {
    reaches = ofOthers,
    arrives = (lanes) => [lanes],
    ends = (all, ended) => all.filter((one) => one !== ended),
    listens = (all, begun) => [...all, begun],
    closes = (all, store) => all.filter((one) => one.store !== store),
    reachesEnded = false,
    reachesClosed = false,
    calls = ({ heard, isHeard: isStillHeard, call }) => {
      for (const one of heard) if (isStillHeard(one)) call(one);
    },
    listensWhenClosed = false,
    closesLate = false,
    hands = "a copy",
  } = defect;
  return () => {
    const disk = createMemoryDisk();
    let all: readonly Listening[] = [];
    let closed: readonly Listening[] = [];
    const isHeard = (one: Listening): boolean => reachesEnded || all.includes(one) || closed.includes(one);
    const open: Storage["open"] = () => {
      const store = createMemoryStore({ disk, ...ALL_PARTS });
      let isOpen = true;
      return Promise.resolve({
        ...store,
        hints: {
          tell: async (lanes) => {
            if (!isOpen) throw createStoreError("unavailable", "closed");
            const told = hands === "what was told" ? lanes : [...lanes];
            const reached = reaches(all, store);
            await (reachesClosed ? passMicrotasks() : Promise.resolve());
            const heard = reached.filter(isHeard);
            for (const list of arrives(told)) {
              const listFor = handing(hands, { list, lanes, teller: store });
              calls({
                ...{ heard, isHeard, call: (one) => one.onHint(listFor(one.store)) },
                ...{ all: () => all, setAll: (left) => void (all = left) },
              });
            }
          },
          listen: (onHint) => {
            if (!isOpen && !listensWhenClosed) return () => undefined;
            const begun = { store, onHint };
            all = listens(all, begun);
            return () => {
              all = ends(all, begun);
              closed = ends(closed, begun);
            };
          },
        },
        close: async () => {
          isOpen = closesLate && isOpen;
          if (reachesClosed) closed = [...closed, ...all.filter((one) => one.store === store)];
          all = closes(all, store);
          await store.close();
          isOpen = false;
        },
      });
    };
    return { open, awaitHint: passMicrotasks };
  };
}

/** A hint on its way: the list that arrives, and the one of its caller. */
interface Told {
  readonly list: Lanes;
  readonly lanes: Lanes;
  readonly teller: object;
}

function handing(hands: Handing, { list, lanes, teller }: Told): (store: object) => Lanes {
  const copies = new Map<object, Lanes>();
  return (store) => {
    if (hands === "what was told") return list;
    if (hands === "the teller's" && store === teller) return lanes;
    const owner = hands === "a copy of all" ? teller : store;
    const isShared = hands === "a copy of all" || hands === "a copy of its store";
    const copy = (isShared ? copies.get(owner) : undefined) ?? [...list];
    copies.set(owner, copy);
    return copy;
  };
}

export const hearingOnlyItself: () => Storage = hintingWith({
  reaches: (all, teller) => all.filter(({ store }) => store === teller),
});

export const reachingOneProcess: () => Storage = hintingWith({
  reaches: (all, teller) => ofOthers(all, teller).slice(0, 1),
});

export const droppingEmptyLists: () => Storage = hintingWith({
  arrives: (lanes) => (lanes.length === 0 ? [] : [lanes]),
});

export const namingALaneForAny: () => Storage = hintingWith({
  arrives: (lanes) => [lanes.length === 0 ? ["any" as DestinationId] : lanes],
});

export const passingLanesThroughUtf8: () => Storage = hintingWith({
  arrives: (lanes) => [lanes.map((lane) => new TextDecoder().decode(new TextEncoder().encode(lane)) as DestinationId)],
});

export const trimmingLanes: () => Storage = hintingWith({
  arrives: (lanes) => [lanes.map((lane) => lane.trim() as DestinationId)],
});

export const joiningLanes: () => Storage = hintingWith({
  arrives: (lanes) => [
    lanes
      .join(",")
      .split(",")
      .filter((lane) => lane !== "") as readonly string[] as Lanes,
  ],
});

export const cuttingLists: () => Storage = hintingWith({ arrives: (lanes) => [lanes.slice(0, 100)] });

export const hearingForEver: () => Storage = hintingWith({ ends: (all) => all });

export const endingAllListening: () => Storage = hintingWith({
  ends: (all, ended) => all.filter(({ store }) => store !== ended.store),
});

export const keepingOneListener: () => Storage = hintingWith({
  listens: (all, begun) => [...all.filter(({ store }) => store !== begun.store), begun],
});

export function listeningOnce(): Storage {
  const deaf = new Set<object>();
  return hintingWith({
    listens: (all, begun) => (deaf.has(begun.store) ? all : [...all, begun]),
    ends: (all, ended) => {
      deaf.add(ended.store);
      return all.filter((one) => one !== ended);
    },
  })();
}

export const hearingAfterClose: () => Storage = hintingWith({ closes: (all) => all });

export const listeningWhenClosed: () => Storage = hintingWith({ listensWhenClosed: true });

export const hearingWhatIsOnItsWayToTheClosed: () => Storage = hintingWith({ reachesClosed: true });

export const choosingListenersOnce: () => Storage = hintingWith({
  calls: ({ heard, call }) => {
    for (const one of heard) call(one);
  },
});

export const handingOutLists: () => Storage = hintingWith({ hands: "what was told" });

export const sharingLists: () => Storage = hintingWith({ hands: "a copy of its store" });

export const rejectingUnheard: () => Storage = hintingWith({
  reaches: (all, teller) => {
    if (ofOthers(all, teller).length === 0) throw createStoreError("busy", "no process listens");
    return ofOthers(all, teller);
  },
});

export const hearingWhatIsOnItsWay: () => Storage = hintingWith({ reachesEnded: true });

export const keepingFunctions: () => Storage = hintingWith({
  listens: (all, begun) => (all.some((one) => isSameFunction(one, begun)) ? all : [...all, begun]),
  ends: (all, ended) => all.filter((one) => !isSameFunction(one, ended)),
});

function isSameFunction(one: Listening, other: Listening): boolean {
  return one.store === other.store && one.onHint === other.onHint;
}

/** As consumers of one queue do. */
export function takingTurns(): Storage {
  let turn = 0;
  return hintingWith({
    reaches: (all, teller) => {
      const others = ofOthers(all, teller);
      turn += 1;
      return others.filter((_, place) => place === turn % others.length);
    },
  })();
}

/** Of hints that are told in one turn, those arrive that are chosen: by their lanes, and how many come after them. */
function mergingTurns(isChosen: (lanes: Lanes, later: number, turn: number) => boolean): Storage {
  let [waiting, turn] = [0, 0];
  return hintingWith({
    reaches: (all, teller) => {
      waiting += 1;
      turn = waiting;
      return ofOthers(all, teller);
    },
    arrives: (lanes) => {
      waiting -= 1;
      return isChosen(lanes, waiting, turn) ? [lanes] : [];
    },
  })();
}

export const tellingTheLastOfATurn = (): Storage => mergingTurns((_, later) => later === 0);

export const mergingEmptyLists = (): Storage => mergingTurns((lanes, _, turn) => lanes.length > 0 || turn === 1);
