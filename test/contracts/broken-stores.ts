// Twelve delivery stores, each broken in one way that has happened to real ones. The contract suite must catch each of
// them; what it catches them by stands in docs/contracts.md.

import type { Changes, ClaimedDelivery, Committed, DeliveryStore, EpochMs } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStoreSupport } from "@postrider/testkit/contracts";

export interface BrokenStore {
  readonly name: string;
  /** The promise that it breaks above all. */
  readonly breaks: string;
  /** A new storage; what it answers opens that storage. */
  readonly create: () => () => Promise<DeliveryStore>;
  readonly supports?: Partial<DeliveryStoreSupport>;
}

const ALONE = { sharing: { reason: "each store has a memory of its own" } } as const;

export const BROKEN_STORES: readonly BrokenStore[] = [
  {
    name: "acks before commit",
    breaks: "a final state survives a crash right after its settlement",
    supports: ALONE,
    create: createLaggingStore,
  },
  {
    name: "loses on restart",
    breaks: "an accepted message survives a crash right after the commit, bit for bit",
    supports: ALONE,
    create: () => () => Promise.resolve(createMemoryStore({ disk: createMemoryDisk() })),
  },
  {
    name: "settles twice",
    breaks: "a token settles at most once, in one commit or in two",
    create: () => overOneDisk(settlingTwice),
  },
  {
    name: "ignores the token",
    breaks: "a settlement is stale, and changes nothing, once another claim holds the delivery",
    create: () => overOneDisk(ignoringTokens(new Map())),
  },
  {
    name: "claims early",
    breaks: "nothing is claimed before it is due, and everything as soon as it is",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        claim: (request, now) => store.claim({ ...request, leaseMs: request.leaseMs - 1 }, (now + 1) as EpochMs),
      })),
  },
  {
    name: "claims one row twice",
    breaks: "claims made at the same time never hand out the same delivery",
    create: () => overOneDisk(claimingWithoutLock),
  },
  {
    name: "exceeds the limit",
    breaks: "a claim never hands out more than its limit",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        claim: (request, now) => {
          const lanes = request.lanes.map(({ lane, limit }) => ({ lane, limit: limit + 1 }));
          return store.claim({ ...request, lanes }, now);
        },
      })),
  },
  {
    name: "aliases mutable bytes",
    breaks: "a body changed by its caller after the commit stays as it was stored",
    create: () => overOneDisk(aliasingBodies(new Map())),
  },
  {
    name: "passes bytes through text",
    breaks: "a body comes back bit for bit, from a claim and from a look",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: (changes, now) => {
          const accept = changes.accept.map((message) => ({ ...message, body: throughText(message.body) }));
          return store.commit({ ...changes, accept }, now);
        },
      })),
  },
  {
    name: "drops attempts",
    breaks: "each attempt of a round leaves a record with all that was said of it",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: (changes, now) => {
          const settle = changes.settle.map((settled) => ({ ...settled, attempts: settled.attempts.slice(-1) }));
          return store.commit({ ...changes, settle }, now);
        },
      })),
  },
  {
    name: "forgets dedupe on restart",
    breaks: "message ids are remembered over a crash",
    create: createForgetfulStore,
  },
  {
    name: "counters drift",
    breaks: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    create: () => overOneDisk(driftingCounters({ byClaims: new Map(), held: new Set() })),
  },
];

/** A memory store with something broken in it, on one disk that outlives it. */
function overOneDisk(breakIt: (store: DeliveryStore) => DeliveryStore): () => Promise<DeliveryStore> {
  const disk = createMemoryDisk();
  return () => Promise.resolve(breakIt(createMemoryStore({ disk })));
}

/** Its log is written with the commit after: the last one before a crash was answered and is lost. */
function createLaggingStore(): () => Promise<DeliveryStore> {
  const log: ((store: DeliveryStore) => Promise<unknown>)[] = [];

  return async () => {
    const store = createMemoryStore({ disk: createMemoryDisk() });
    for (const write of log) await write(store);
    let unwritten: typeof log = [];
    const remember = (write: (typeof log)[number]): void => {
      unwritten.push(write);
    };
    return {
      ...store,
      commit: (changes, now) => {
        log.push(...unwritten);
        unwritten = [(again) => again.commit(changes, now)];
        return store.commit(changes, now);
      },
      claim: (request, now) => {
        remember((again) => again.claim(request, now));
        return store.claim(request, now);
      },
      end: (request, now) => {
        remember((again) => again.end(request, now));
        return store.end(request, now);
      },
      sweep: (request, now) => {
        remember((again) => again.sweep(request, now));
        return store.sweep(request, now);
      },
      close: () => {
        log.push(...unwritten);
        unwritten = [];
        return store.close();
      },
    };
  };
}

function settlingTwice(store: DeliveryStore): DeliveryStore {
  const seen = new Set<string>();
  return {
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      const settled: Committed["settled"][number][] = [];
      for (const [index, { id, token, attempts }] of changes.settle.entries()) {
        const isAgain = seen.has(`${id} ${token}`);
        const append = attempts.map((attempt) => ({ id, attempt }));
        if (isAgain) await store.commit({ ...changes, accept: [], replay: [], settle: [], tally: [], append }, now);
        if (committed.settled[index] === "settled") seen.add(`${id} ${token}`);
        settled.push(isAgain ? "settled" : (committed.settled[index] ?? "stale"));
      }
      return { ...committed, settled };
    },
  };
}

function ignoringTokens(tokens: Map<string, ClaimTokens>): (store: DeliveryStore) => DeliveryStore {
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

function storedIds({ accepted, replayed }: Committed): readonly string[] {
  const stored = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
  return [...stored, ...replayed.filter((id) => id !== undefined)];
}

/** Looks for what is due, and marks it only then: who asks in between is given the same. */
function claimingWithoutLock(store: DeliveryStore): DeliveryStore {
  let looking: ReturnType<DeliveryStore["claim"]> | undefined;
  return {
    ...store,
    claim: async (request, now) => {
      const found = looking ?? store.claim(request, now);
      looking = found;
      await Promise.resolve();
      looking = undefined;
      return found;
    },
  };
}

function aliasingBodies(bodies: Map<string, ClaimedDelivery["body"]>): (store: DeliveryStore) => DeliveryStore {
  const key = (of: { readonly source: string; readonly messageId: string }): string => `${of.source} ${of.messageId}`;
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, message] of changes.accept.entries()) {
        if (committed.accepted[index]?.kind === "stored") bodies.set(key(message), message.body);
      }
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      const deliveries = claimed.deliveries.map((one) => ({ ...one, body: bodies.get(key(one)) ?? one.body }));
      return { ...claimed, deliveries };
    },
    find: async (id) => {
      const found = await store.find(id);
      const body = found === undefined ? undefined : bodies.get(key(found));
      return found === undefined || body === undefined ? found : { ...found, body };
    },
  });
}

function throughText<T extends Uint8Array>(bytes: T): T {
  return new TextEncoder().encode(new TextDecoder().decode(bytes)) as Uint8Array as T;
}

/** Keeps the ids that it has seen in the memory of the process; with each start they begin anew. */
function createForgetfulStore(): () => Promise<DeliveryStore> {
  let starts = 0;
  return overOneDisk((store) => {
    starts += 1;
    const prefix = `${String(starts)}|`;
    const plain = <T extends { readonly messageId: string }>(of: T): T => ({
      ...of,
      messageId: of.messageId.slice(of.messageId.indexOf("|") + 1),
    });
    return {
      ...store,
      commit: (changes, now) => {
        const accept = changes.accept.map((message) => ({ ...message, messageId: `${prefix}${message.messageId}` }));
        return store.commit({ ...changes, accept }, now);
      },
      claim: async (request, now) => {
        const claimed = await store.claim(request, now);
        return { ...claimed, deliveries: claimed.deliveries.map(plain) };
      },
      find: async (id) => {
        const found = await store.find(id);
        return found === undefined ? undefined : plain(found);
      },
      list: async ({ messageId, ...query }) => {
        const page = await store.list(
          messageId === undefined ? query : { ...query, messageId: `${prefix}${messageId}` },
        );
        return { ...page, deliveries: page.deliveries.map(plain) };
      },
    };
  });
}

interface Drift {
  /** How far the counters of each source are off. */
  readonly byClaims: Map<string, number>;
  readonly held: Set<string>;
}

/** Counts each claim as one that waited, also that of a delivery whose lease had ended. */
function driftingCounters({ byClaims, held }: Drift): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const [index, { id }] of changes.settle.entries())
        if (committed.settled[index] === "settled") held.delete(id);
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id, source } of claimed.deliveries) {
        if (held.has(id)) byClaims.set(source, (byClaims.get(source) ?? 0) + 1);
        held.add(id);
      }
      return claimed;
    },
    counts: async () => {
      const rows = await store.counts();
      return rows.map((row) => {
        const drift = byClaims.get(row.source) ?? 0;
        return { ...row, waiting: row.waiting - drift, claimed: row.claimed + drift };
      });
    },
  });
}
