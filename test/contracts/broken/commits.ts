// Stores that make of a commit something else than was asked.

import type { Changes, Committed, DeliveryStore, EpochMs } from "@postrider/core";
import { overOneDisk, type Storage } from "./storage.js";

/** A large transaction is slow, so it makes many: what fits is stored, though the rest does not. */
export function committingInSlices(store: DeliveryStore): DeliveryStore["commit"] {
  return async (changes, now) => {
    const accepted: Committed["accepted"][number][] = [];
    for (let index = 0; index + SLICE < changes.accept.length; index += SLICE) {
      const accept = changes.accept.slice(index, index + SLICE);
      const slice = { accept, replay: [], settle: [], append: [], tally: [], lease: changes.lease };
      accepted.push(...(await store.commit(slice, now)).accepted);
    }
    const rest = await store.commit({ ...changes, accept: changes.accept.slice(accepted.length) }, now);
    return { ...rest, accepted: [...accepted, ...rest.accepted] };
  };
}

const SLICE = 1_000;

/** Takes a late attempt for a part of the settlement beside it, and answers for it without keeping it. */
export function losingLateAttempts(store: DeliveryStore): DeliveryStore["commit"] {
  return async (changes, now) => {
    const isSettled = ({ id }: Changes["append"][number]): boolean => changes.settle.some((one) => one.id === id);
    const append = changes.append.filter((late) => !isSettled(late));
    const committed = await store.commit({ ...changes, append }, now);
    const answers = [...committed.appended];
    const appended = changes.append.map((late) => (isSettled(late) ? "appended" : (answers.shift() ?? "gone")));
    return { ...committed, appended };
  };
}

/** Stores as due at once what was to be stored claimed. */
export function unhanded(changes: Changes, now: EpochMs): Changes {
  const accept = changes.accept.map((message) => {
    const deliveries = message.deliveries.map(({ destination, start }) => ({
      destination,
      start: start.kind === "claimed" ? ({ kind: "waiting", dueAt: now } as const) : start,
    }));
    return { ...message, deliveries };
  });
  return { ...changes, accept };
}

/** Once there is little room it looks no further: settlements, which need none, are refused as well. */
export function createStubbornStorage(): Storage {
  const storage = overOneDisk((store) => store);
  const error = Object.assign(new Error("no room"), { code: "full" });
  return {
    ...storage,
    openCramped: async () => ({ ...(await storage.open()), commit: () => Promise.reject(error) }),
  };
}
