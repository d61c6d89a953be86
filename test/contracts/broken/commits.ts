// Stores that carry out a commit wrongly.

import type { Changes, CommitResult, DeliveryStore, EpochMs } from "@postrider/core";
import { overOneDisk, type Storage } from "./storage.js";

/** Splits a large transaction: the part that fits is stored, although the rest does not fit. */
export function committingInSlices(store: DeliveryStore): DeliveryStore["commit"] {
  return async (changes, now) => {
    const accepted: CommitResult["accepted"][number][] = [];
    for (let index = 0; index + SLICE < changes.accept.length; index += SLICE) {
      const accept = changes.accept.slice(index, index + SLICE);
      const slice = { accept, replay: [], settle: [], append: [], tally: [], lease: changes.lease };
      accepted.push(...(await store.commit(slice, now)).accepted);
    }
    const remainder = await store.commit({ ...changes, accept: changes.accept.slice(accepted.length) }, now);
    return { ...remainder, accepted: [...accepted, ...remainder.accepted] };
  };
}

const SLICE = 1_000;

/** Treats a late attempt as a part of the settlement beside it, and acknowledges it without storing it. */
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

/** Stores as due at once what was to be stored as claimed. */
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

/** If there is little room it refuses everything, also settlements, which need no room. */
export function createStubbornStorage(): Storage {
  const storage = overOneDisk((store) => store);
  const error = Object.assign(new Error("no room"), { code: "full" });
  return {
    ...storage,
    openCramped: async () => ({ ...(await storage.open()), commit: () => Promise.reject(error) }),
  };
}
