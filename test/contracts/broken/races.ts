// Stores that read and then write in two accesses: another call may come between them.

import type { Changes, CommitResult, DeliveryId, DeliveryStore, LeaseToken, NewMessage } from "@postrider/core";
import { overGatedDisk } from "./gated-disk.js";
import type { Storage } from "./storage.js";

/** Reads what is due, and marks it later: a claim in between reads the same. */
export function claimingWhatItRead(): Storage {
  let sharedClaim: ReturnType<DeliveryStore["claim"]> | undefined;
  return overGatedDisk(({ store, access }) => ({
    claim: async (request, now) => {
      const result = await access(() => {
        sharedClaim ??= store.claim(request, now);
        return sharedClaim;
      });
      await access(() => {
        sharedClaim = undefined;
        return Promise.resolve();
      });
      return result;
    },
  }));
}

/** Asks for message ids, and stores later: an id that another commit stores in between is stored once more. */
export function storingWhatWasNew(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const isNew = await access(() =>
        Promise.all(changes.accept.map(async (message) => (await store.seen(message, now)).length === 0)),
      );
      return access(async () => {
        const isNewStill = await Promise.all(
          changes.accept.map(async (one) => (await store.seen(one, now)).length === 0),
        );
        const accept = changes.accept.map((message, index) =>
          isNew[index] === true && isNewStill[index] === false
            ? { ...message, messageId: `${message.messageId}, again` }
            : message,
        );
        return store.commit({ ...changes, accept }, now);
      });
    },
  }));
}

/** Compares tokens first, and settles later, whatever has become of the claim in between. */
export function settlingWhatItRead(): Storage {
  const tokens = new Map<DeliveryId, LeaseToken>();
  return overGatedDisk(({ store, access }) => ({
    claim: (request, now) =>
      access(async () => {
        const claimed = await store.claim(request, now);
        for (const { id } of claimed.deliveries) tokens.set(id, request.token);
        return claimed;
      }),
    commit: async (changes, now) => {
      const inForce = await access(() =>
        Promise.resolve(changes.settle.map(({ id, token }) => tokens.get(id) === token)),
      );
      return access(async () => {
        const committed = await store.commit(changes, now);
        const settled = committed.settled.map((answer, index) => (inForce[index] === true ? "settled" : answer));
        for (const { id, token } of changes.settle) if (tokens.get(id) === token) tokens.delete(id);
        return { ...committed, settled };
      });
    },
  }));
}

/** Ends what it has found waiting, although a claim has taken it in between. */
export function endingWhatItRead(): Storage {
  const tokens = new Map<DeliveryId, LeaseToken>();
  return overGatedDisk(({ store, access }) => ({
    claim: claimNoting(tokens)({ store, access }),
    end: async (request, now) => {
      const page = await access(() => store.list({ destination: request.lane, states: ["waiting"], limit: 10 }));
      return access(async () => {
        const settle = takenSince(page.deliveries, tokens, { kind: "dead", reason: "expired", detail: "503" });
        const { settled } = await store.commit({ ...NOTHING, settle, lease: LEASE }, now);
        return (await store.end(request, now)) + settled.length;
      });
    },
  }));
}

/** Brings forward what it has found waiting, although a claim has taken it in between: it is due once more. */
export function pullingWhatItRead(): Storage {
  const tokens = new Map<DeliveryId, LeaseToken>();
  return overGatedDisk(({ store, access }) => ({
    claim: claimNoting(tokens)({ store, access }),
    pullIn: async (request, now) => {
      const page = await access(() => store.list({ destination: request.lane, states: ["waiting"], limit: 10 }));
      return access(async () => {
        const settle = takenSince(page.deliveries, tokens, { kind: "released", dueAt: request.dueAt });
        await store.commit({ ...NOTHING, settle, lease: LEASE }, now);
        return store.pullIn(request, now);
      });
    },
  }));
}

/** Reads the counters, adds to them, and writes them: what another commit adds in between is lost. */
export function countingWhatItRead(): Storage {
  let version = 0;
  const lost = new Map<string, number>();
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const before = await access(() => Promise.resolve(version));
      return access(async () => {
        if (before !== version) for (const { source } of changes.accept) lost.set(source, (lost.get(source) ?? 0) + 1);
        version += 1;
        return store.commit(changes, now);
      });
    },
    counts: () =>
      access(async () =>
        (await store.counts()).map((row) => {
          const missed = lost.get(row.source) ?? 0;
          return {
            ...row,
            accepted: row.accepted - missed,
            received: row.received - missed,
            waiting: row.waiting - missed,
          };
        }),
      ),
  }));
}

/** Reads the counters in two queries. */
export function countingInTwoQueries(): Storage {
  return overGatedDisk(({ store, access }) => ({
    counts: async () => {
      const first = await access(() => store.counts());
      const second = await access(() => store.counts());
      return second.map((row) => {
        const { accepted = 0, filtered = 0 } = first.find(({ source }) => source === row.source) ?? {};
        return { ...row, accepted, filtered };
      });
    },
  }));
}

/** Stores settlements in a second transaction. */
export function committingInTwo(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now): Promise<CommitResult> => {
      const { accepted } = await access(() => store.commit({ ...changes, ...NOTHING, accept: changes.accept }, now));
      const remainder = await access(() => store.commit({ ...changes, accept: [] }, now));
      return { ...remainder, accepted };
    },
  }));
}

/** All commits that are out at the same time see the storage as the first of them has found it. */
export function seeingOldSnapshots(): Storage {
  let [commits, out, snapshot] = [0, 0, 0];
  const settledBy = new Map<DeliveryId, number>();
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      commits += 1;
      const mine = commits;
      if (out === 0) snapshot = mine;
      out += 1;
      try {
        return await access(() => {
          const replay = changes.replay.map((again) =>
            (settledBy.get(again.of) ?? 0) >= snapshot ? { ...again, of: "not seen" as DeliveryId } : again,
          );
          for (const { id } of changes.settle) settledBy.set(id, mine);
          return store.commit({ ...changes, replay }, now);
        });
      } finally {
        out -= 1;
      }
    },
  }));
}

/** Lists what has ended, and removes it with its bodies later, although a replay has taken one of them in between. */
export function sweepingWhatItRead(): Storage {
  const replays = new Map<DeliveryId, DeliveryId>();
  const bodiless = new Set<DeliveryId>();
  return overGatedDisk(({ store, access }) => ({
    commit: (changes, now) =>
      access(async () => {
        const committed = await store.commit(changes, now);
        for (const [index, { of }] of changes.replay.entries()) {
          const id = committed.replayed[index];
          if (id !== undefined) replays.set(id, of);
        }
        return committed;
      }),
    sweep: async (request, now) => {
      const before = await access(() => Promise.resolve(new Set(replays.keys())));
      return access(async () => {
        const swept = await store.sweep(request, now);
        for (const id of replays.keys()) if (!before.has(id)) bodiless.add(id);
        return swept;
      });
    },
    claim: (request, now) =>
      access(async () => {
        const claimed = await store.claim(request, now);
        return { ...claimed, deliveries: claimed.deliveries.filter(({ id }) => !bodiless.has(id)) };
      }),
  }));
}

/** Asks which users are suppressed, and stores later, whatever request was opened in between. */
export function storingForWhomItAsked(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const before = await access(async () => new Set(await store.deletions?.suppressed({ limit: 1_000 })));
      return access(async () => {
        const after = new Set(await store.deletions?.suppressed({ limit: 1_000 }));
        const accept = changes.accept.map(({ userIds = [], asOf, ...message }) => {
          const isMissed = userIds.some((userId) => after.has(userId) && !before.has(userId));
          return isMissed ? message : { ...message, userIds, ...(asOf === undefined ? {} : { asOf }) };
        });
        return store.commit({ ...changes, accept }, now);
      });
    },
  }));
}

/** Reads what is due, and hands it out after its claim, although a request has put it out of reach in between. */
export function handingOutWhatItRead(): Storage {
  return overGatedDisk(({ store, access }) => ({
    claim: async (request, now) => {
      const requests = await access(async () => (await store.deletions?.list({ limit: 1 }))?.deletions[0]?.number);
      return access(async () => {
        const { deliveries: due } = await store.list({
          destination: request.lanes[0]!.lane,
          states: ["waiting"],
          limit: 10,
        });
        const claimed = await store.claim(request, now);
        const isNewer = (await store.deletions?.list({ limit: 1 }))?.deletions[0]?.number !== requests;
        const missed = due.filter(({ id }) => isNewer && !claimed.deliveries.some((one) => one.id === id));
        const body = new Uint8Array() as NewMessage["body"];
        const emptyFields = { body, rounds: 0, endpoints: [], leaseUntil: now, dueAt: now };
        return {
          ...claimed,
          deliveries: [
            ...claimed.deliveries,
            ...missed.map((one) => ({ ...one, lane: one.destination, ...emptyFields })),
          ],
        };
      });
    },
  }));
}

/** Answers a replay from what it has read before a request of the delivery's user was opened. */
export function replayingWhatItRead(): Storage {
  return overGatedDisk(({ store, access }) => ({
    commit: async (changes, now) => {
      const before = await access(() => Promise.all(changes.replay.map(({ of }) => store.find(of))));
      return access(async () => {
        const committed = await store.commit({ ...changes, replay: [] }, now);
        const replayed: (DeliveryId | undefined)[] = [];
        for (const [index, { start }] of changes.replay.entries()) {
          const old = before[index];
          if (old?.body === undefined || (old.state !== "delivered" && old.state !== "dead")) {
            replayed.push(undefined);
            continue;
          }
          const { id, source, type, destination } = old;
          const body = new Uint8Array(old.body) as NewMessage["body"];
          const again = { source, messageId: `replay of ${id}`, type, receivedAt: now, body, filtered: [] };
          const accept = [{ ...again, deliveries: [{ destination, start }] }];
          const [answer] = (await store.commit({ ...changes, ...NOTHING, accept }, now)).accepted;
          replayed.push(answer?.kind === "stored" ? answer.deliveries[0] : undefined);
        }
        return { ...committed, replayed };
      });
    },
  }));
}

const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] } as const;
const LEASE = { token: "nobody's" as LeaseToken, leaseMs: 0 };

type Claiming = Pick<Parameters<Parameters<typeof overGatedDisk>[0]>[0], "store" | "access">;

function claimNoting(tokens: Map<DeliveryId, LeaseToken>): (disk: Claiming) => DeliveryStore["claim"] {
  return ({ store, access }) =>
    (request, now) =>
      access(async () => {
        const claimed = await store.claim(request, now);
        for (const { id } of claimed.deliveries) tokens.set(id, request.token);
        return claimed;
      });
}

function takenSince(
  found: readonly { readonly id: DeliveryId }[],
  tokens: ReadonlyMap<DeliveryId, LeaseToken>,
  outcome: Changes["settle"][number]["outcome"],
): Changes["settle"] {
  return found.flatMap(({ id }) => {
    const token = tokens.get(id);
    return token === undefined ? [] : [{ id, token, outcome, attempts: [], endpoints: [] }];
  });
}
