// Stores whose hints are broken for listeners that listen, stop or close while they hear one, or that change what they hear.

import type { DestinationId } from "@postrider/core";
import { hintingWith, type HintDefect, type Lanes, type Round } from "./hints.js";
import type { Storage } from "./storage.js";

/** Goes through the listeners by their places, which move up when one stops. */
export const skippingBehindTheStopped: () => Storage = hintingWith({
  calls: ({ heard, all, call }) => {
    for (let place = 0; place < all().length; place += 1) {
      const one = all()[place];
      if (one !== undefined && heard.some(({ store }) => store === one.store)) call(one);
    }
  },
});

/** Calls also the listeners that come meanwhile. */
export const callingTheNewAtOnce: () => Storage = hintingWith({
  calls: ({ heard, all, call }) => {
    const called = new Set<object>();
    for (let next = all().find(isNext); next !== undefined; next = all().find(isNext)) {
      called.add(next);
      call(next);
    }
    function isNext(one: Round["heard"][number]): boolean {
      return !called.has(one) && heard.some(({ store }) => store === one.store);
    }
  },
});

/** The listeners are those again that they were before the hint, but for those that have stopped. */
export const forgettingTheAdded: () => Storage = hintingWith({
  calls: ({ heard, isHeard, call, all, setAll }) => {
    const before = all();
    for (const one of heard) if (isHeard(one)) call(one);
    setAll(before.filter((one) => all().includes(one)));
  },
});

/** A store that is closed while its own listeners, or those of another one, hear a hint, is not closed for hints. */
const closingWithout = (isMissed: (calledStore: object, closedStore: object) => boolean): Storage => {
  let called: object | undefined;
  const defect: HintDefect = {
    calls: ({ heard, isHeard, call }) => {
      for (const one of heard) {
        called = one.store;
        if (isHeard(one)) call(one);
      }
      called = undefined;
    },
    closes: (all, store) =>
      called !== undefined && isMissed(called, store) ? all : all.filter((one) => one.store !== store),
  };
  return hintingWith(defect)();
};

export const closingOnlyOutsideHints = (): Storage => closingWithout((calledStore, closed) => calledStore === closed);

export const closingNoOtherWithinHints = (): Storage => closingWithout((calledStore, closed) => calledStore !== closed);

export const listeningWhileClosing: () => Storage = hintingWith({ closesLate: true });

/** Looks for the place of a listener that has ended already, and ends the last one. */
export const endingTheLast: () => Storage = hintingWith({
  ends: (all, ended) => all.toSpliced(all.indexOf(ended), 1),
});

export const sharingListsWithAll: () => Storage = hintingWith({ hands: "a copy of all" });

export const deduplicatingWithoutCase: () => Storage = hintingWith({
  arrives: (lanes) => [[...new Map(lanes.map((lane) => [lane.toLowerCase(), lane])).values()]],
});

/** Each lane is changed on its way. */
const changingLanes = (change: (lane: string) => string): (() => Storage) =>
  hintingWith({ arrives: (lanes): readonly Lanes[] => [lanes.map((lane) => change(lane) as DestinationId)] });

export const writingNumbersAnew: () => Storage = changingLanes((lane) =>
  /^\d/.test(lane) && Number.isFinite(Number(lane)) ? String(Number(lane)) : lane,
);

export const removingControls: () => Storage = changingLanes((lane) => lane.replaceAll(/[\u0080-\u009f]/g, ""));

/** A process hears its own hints too, as the list of the caller. */
export const handingOutOwnLists: () => Storage = hintingWith({ reaches: (all) => all, hands: "the teller's" });

/** A function that stops while hints are heard is removed afterwards, however often it listens again meanwhile. */
export const stoppingFunctionsAfterwards: () => Storage = hintingWith({
  calls: ({ heard, isHeard, call, all, setAll }) => {
    for (const one of heard) {
      if (!isHeard(one)) continue;
      call(one);
      if (!all().includes(one)) setAll(all().filter(({ onHint }) => onHint !== one.onHint));
    }
  },
});

/** Takes a list for told that is the same object as the last one, with as many lanes. */
export function passingOverTheSameList(): Storage {
  let last: { readonly lanes: Lanes; readonly length: number } | undefined;
  return hintingWith({
    hands: "what was told",
    arrives: (lanes) => {
      const isTold = last?.lanes === lanes && last.length === lanes.length;
      last = { lanes, length: lanes.length };
      return isTold ? [] : [[...lanes]];
    },
  })();
}

/** Hands out one of two lists, in turn, which it fills anew. */
export function fillingListsAnew(): Storage {
  const lists: [DestinationId[], DestinationId[]] = [[], []];
  return hintingWith({
    hands: "what was told",
    arrives: (lanes) => {
      lists.reverse();
      lists[0].splice(0, lists[0].length, ...lanes);
      return [lists[0]];
    },
  })();
}
