// Stores that end by themselves, and those that tell it wrongly.

import { createStoreError, type DeliveryStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { StoreWithEnd } from "@postrider/testkit/contracts";
import { ALL_PARTS } from "../../memory/harness.js";
import type { Storage } from "./storage.js";

type Listener = (why: string) => void;

/** The state of a store that can end. */
interface Life {
  readonly listeners: Listener[];
  why: string | undefined;
  isClosed: boolean;
}

/** A defect of a store that can end. What it does not name works. */
interface EndDefect {
  readonly listen?: (life: Life, listener: Listener) => void;
  readonly tell?: (life: Life, why: string) => void;
  /** True if a call is refused. */
  readonly refuses?: (life: Life) => boolean;
  /** The code with which a call is refused. */
  readonly code?: "busy" | "unavailable";
  readonly closes?: (life: Life, store: DeliveryStore) => Promise<void>;
}

const WHY = "its thread has ended";

/** The store, which ends when its thread does. */
export function withEnd(store: DeliveryStore, defect: EndDefect = {}): StoreWithEnd {
  const life: Life = { listeners: [], why: undefined, isClosed: false };
  const {
    listen = ({ why, isClosed, listeners }, listener) => {
      if (why === undefined) listeners.push(listener);
      else if (!isClosed) listener(why);
    },
    tell = ({ listeners, isClosed }, why) => {
      if (!isClosed) for (const listener of listeners) listener(why);
    },
    refuses = ({ why }) => why !== undefined,
    code = "unavailable",
    closes = ({ why }, open) => (why === undefined ? open.close() : Promise.resolve()),
  } = defect;
  const refuse = (): Promise<never> => Promise.reject(createStoreError(code, WHY));
  return {
    store: {
      ...untilRefused(store, () => (refuses(life) ? refuse : undefined)),
      onEnd: (listener) => {
        listen(life, listener);
      },
      close: (): Promise<void> => {
        const closing = closes(life, store);
        life.isClosed = true;
        return closing;
      },
    },
    end: (): Promise<void> => {
      life.why = WHY;
      tell(life, WHY);
      return Promise.resolve();
    },
  };
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The same methods, also those of parts, each of which asks first whether it is refused. */
function untilRefused<Part extends object>(part: Part, refusal: () => Method | undefined): Part {
  const entries = Object.entries(part).map(([name, member]: [string, unknown]) => {
    if (typeof member === "function")
      return [name, (...args: readonly unknown[]) => (refusal() ?? (member as Method))(...args)];
    return [name, typeof member === "object" && member !== null ? untilRefused(member, refusal) : member];
  });
  return Object.fromEntries(entries) as Part;
}

/** A storage whose stores end with this defect. */
export function endingWith(defect: EndDefect): () => Storage {
  return () => {
    const disk = createMemoryDisk();
    const open = (): DeliveryStore => createMemoryStore({ disk, ...ALL_PARTS });
    return { open: () => Promise.resolve(open()), openWithEnd: () => Promise.resolve(withEnd(open(), defect)) };
  };
}

const eachOf = ({ listeners, isClosed }: Life): readonly Listener[] => (isClosed ? [] : listeners);

export const tellingNoEnd: () => Storage = endingWith({ tell: () => undefined });

export const tellingTheEndTwice: () => Storage = endingWith({
  tell: (life, why) => {
    for (const listener of [...eachOf(life), ...eachOf(life)]) listener(why);
  },
});

export const tellingNoReason: () => Storage = endingWith({
  tell: (life) => {
    for (const listener of eachOf(life)) listener("");
  },
});

export const tellingTheLastListener: () => Storage = endingWith({ tell: (life, why) => eachOf(life).at(-1)?.(why) });

export const tellingNoLaterListener: () => Storage = endingWith({
  listen: ({ listeners }, listener) => void listeners.push(listener),
});

export const tellingTheClosed: () => Storage = endingWith({
  tell: ({ listeners }, why) => {
    for (const listener of listeners) listener(why);
  },
});

export const answeringOn: () => Storage = endingWith({ refuses: () => false });

export const busyAfterTheEnd: () => Storage = endingWith({ code: "busy" });

export const closingOnlyTheLiving: () => Storage = endingWith({
  closes: ({ why }, store) =>
    why === undefined ? store.close() : Promise.reject(createStoreError("unavailable", why)),
});

/** A commit that is under way at the end is never answered. */
export function leavingCallsOpen(): Storage {
  const disk = createMemoryDisk();
  const open = (): DeliveryStore => createMemoryStore({ disk, ...ALL_PARTS });
  return {
    open: () => Promise.resolve(open()),
    openWithEnd: () => {
      const { store, end } = withEnd(open());
      let hasEnded = false;
      const commit: DeliveryStore["commit"] = async (changes, now) => {
        const wasAlive = !hasEnded;
        await Promise.resolve();
        return wasAlive && hasEnded ? new Promise(() => undefined) : store.commit(changes, now);
      };
      const ending = (): Promise<void> => {
        hasEnded = true;
        return end();
      };
      return Promise.resolve({ store: { ...store, commit }, end: ending });
    },
  };
}

/** The stored data dies with the store. */
export function losingAllAtTheEnd(): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, ...ALL_PARTS })),
    openWithEnd: () => Promise.resolve(withEnd(createMemoryStore(ALL_PARTS))),
  };
}
