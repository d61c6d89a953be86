// Stores that hand out or settle deliveries which they should not.

import type { Changes, ClaimRequest, CommitResult, DeliveryStore } from "@postrider/core";

export function settlingTwice(store: DeliveryStore): DeliveryStore {
  const settledClaims = new Set<string>();
  return {
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      const settled: CommitResult["settled"][number][] = [];
      for (const [index, { id, token, attempts }] of changes.settle.entries()) {
        const isAgain = settledClaims.has(`${id} ${token}`);
        const append = attempts.map((attempt) => ({ id, attempt }));
        if (isAgain) await store.commit({ ...changes, accept: [], replay: [], settle: [], tally: [], append }, now);
        if (committed.settled[index] === "settled") settledClaims.add(`${id} ${token}`);
        settled.push(isAgain ? "settled" : (committed.settled[index] ?? "stale"));
      }
      return { ...committed, settled };
    },
  };
}

export function ignoringTokens(tokens: Map<string, ClaimTokens>): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id } of claimed.deliveries) tokens.set(id, request.token);
      return claimed;
    },
    commit: async (changes, now) => {
      const settle = changes.settle.map((settled) => ({ ...settled, token: tokens.get(settled.id) ?? settled.token }));
      const committed = await store.commit({ ...changes, settle }, now);
      for (const id of storedIds(committed)) tokens.set(id, changes.lease.token);
      return committed;
    },
  });
}

type ClaimTokens = Changes["lease"]["token"];

function storedIds({ accepted, replayed }: CommitResult): readonly string[] {
  const ids = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
  return [...ids, ...replayed.filter((id) => id !== undefined)];
}

/** Reads due deliveries, and marks them only later: a claim in between gets the same ones. */
export function claimingWithoutLock(store: DeliveryStore): DeliveryStore {
  let looking: ReturnType<DeliveryStore["claim"]> | undefined;
  return {
    ...store,
    claim: async (request, now) => {
      const shared = looking ?? store.claim(request, now);
      looking = shared;
      await Promise.resolve();
      looking = undefined;
      return shared;
    },
  };
}

/** If one kind leaves a part of its share, no other gets it: it is released. */
export function keepingShares(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      const surplus = request.lanes.flatMap(({ lane, limit, retries = limit }) => {
        const ofLane = claimed.deliveries.filter((one) => one.lane === lane);
        const tried = ofLane.filter(({ rounds }) => rounds > 0).slice(retries);
        return [...tried, ...ofLane.filter(({ rounds }) => rounds === 0).slice(limit - retries)];
      });
      const settle = surplus.map(({ id, dueAt }): Changes["settle"][number] => {
        return { id, token: request.token, outcome: { kind: "released", dueAt }, attempts: [], endpoints: [] };
      });
      await store.commit({ accept: [], replay: [], settle, append: [], tally: [], lease: request }, now);
      return { ...claimed, deliveries: claimed.deliveries.filter((one) => !surplus.includes(one)) };
    },
  };
}

/** Treats a delivery that was claimed once as one that was tried. */
export function triedByClaim(store: DeliveryStore): DeliveryStore {
  const firstTries = new Set<string>();
  return {
    ...store,
    claim: async (request, now) => {
      const { lanes } = request;
      const mistaken = lanes.map((asked) => ({ ...asked, ...(firstTries.size > 0 ? { retries: asked.limit } : {}) }));
      const claimed = await store.claim({ ...request, lanes: asksForShares(lanes) ? mistaken : lanes }, now);
      for (const { id, rounds } of claimed.deliveries) if (rounds === 0) firstTries.add(id);
      return claimed;
    },
  };
}

function asksForShares(lanes: ClaimRequest["lanes"]): boolean {
  return lanes.some(({ retries }) => retries !== undefined);
}
