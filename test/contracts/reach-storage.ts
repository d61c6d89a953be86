// A storage for the model that says what the commands of its runs bring about, and whose process dies in the midst of commits:
// of those that are then under way, some are stored and some are not, and none of these is answered.

import { type Changes, type CommitResult, createStoreError, type DeliveryStore, type EpochMs } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import type { DeliveryStoreHarness } from "@postrider/testkit/contracts";
import { overOneDisk } from "./broken/storage.js";
import { watchUsers } from "./reach-users.js";

/** Says that something has happened. */
export type Note = (what: string) => void;

export function watchedHarness(note: Note): DeliveryStoreHarness {
  const clock = createManualClock();
  const shared: SharedState = { starts: 0, opened: 0, underWay: [], stored: new Map() };
  const storage = overOneDisk((store) => watchUsers(watch(mortal(store, shared, note), shared, note), note));
  return {
    open: storage.open,
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: {
      ...{ restart: true, sharing: true, days: true },
      ...{ deletions: true, records: true, traceparents: true },
    },
  };
}

interface SharedState {
  starts: number;
  opened: number;
  /** The commits that have been sent and are not answered. */
  underWay: Changes[];
  /** The process that stored a message. */
  readonly stored: Map<string, number>;
}

/** Every other commit takes effect a turn after it was sent. If the storage was opened meanwhile, it may be lost. */
function mortal(store: DeliveryStore, shared: SharedState, note: Note): DeliveryStore {
  shared.starts += 1;
  let commits = 0;
  return {
    ...store,
    commit: async (changes, now): Promise<CommitResult> => {
      commits += 1;
      const { starts } = shared;
      const isEarly = commits % 3 === 0;
      const early = isEarly ? await store.commit(changes, now) : undefined;
      await Promise.resolve();
      if (shared.starts === starts) return early ?? store.commit(changes, now);
      note(isEarly ? "commit under way stored" : "commit under way lost");
      throw createStoreError("unavailable", "the process has died");
    },
  };
}

function watch(store: DeliveryStore, shared: SharedState, note: Note): DeliveryStore {
  shared.opened += 1;
  const process = shared.opened;
  const leased = new Set<string>();
  return {
    ...store,
    commit: async (changes, now) => {
      const together = shared.underWay.slice();
      shared.underWay.push(changes);
      const committed = await store.commit(changes, now).finally(() => {
        shared.underWay = shared.underWay.filter((one) => one !== changes);
      });
      noteCommit({ changes, committed, together, process, stored: shared.stored }, note);
      for (const [index, { id }] of changes.settle.entries())
        if (committed.settled[index] === "settled") leased.delete(id);
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id, firstAttemptAt } of claimed.deliveries) {
        note(firstAttemptAt === undefined ? "claimed one never tried" : "claimed one tried before");
        if (leased.has(id)) note("claimed one under a lease that ended");
        leased.add(id);
      }
      for (const { lane, limit } of request.lanes) {
        const count = claimed.deliveries.filter((one) => one.lane === lane).length;
        if (count === 0) note("claim of a lane with nothing due");
        if (count === limit && (claimed.nextDueAt.get(lane) ?? Infinity) <= now) note("claim cut short");
      }
      return claimed;
    },
    end: limited((request, now) => store.end(request, now), "ended", note),
    pullIn: limited((request, now) => store.pullIn(request, now), "brought forward", note),
    sweep: limited((request, now) => store.sweep(request, now), "swept", note),
    seen: async (query, now) => {
      const messages = await store.seen(query, now);
      if (messages.length === 0) note("nothing seen");
      for (const { deliveries } of messages) note(deliveries === 0 ? "seen with none" : "seen with deliveries");
      return messages;
    },
    list: async (query) => {
      const page = await store.list(query);
      if (page.next !== undefined) note("page with a next one");
      if (query.after !== undefined && page.deliveries.length > 0) note("page behind a cursor");
      return page;
    },
  };
}

interface Committed {
  readonly changes: Changes;
  readonly committed: CommitResult;
  readonly together: readonly Changes[];
  readonly process: number;
  readonly stored: Map<string, number>;
}

function noteCommit({ changes, committed, together, process, stored }: Committed, note: Note): void {
  for (const [index, { kind }] of committed.accepted.entries()) {
    const { source, messageId } = changes.accept[index] ?? {};
    const key = JSON.stringify([source, messageId]);
    note(`message ${kind}`);
    if (kind === "stored") stored.set(key, process);
    if (kind !== "duplicate") continue;
    if (stored.get(key) !== process) note("duplicate of another process's message");
    const isSame = (other: Changes): boolean =>
      other.accept.some((one) => JSON.stringify([one.source, one.messageId]) === key);
    if (together.some(isSame)) note("duplicate of a message that was sent at the same time");
  }
  for (const kind of committed.appended) note(`late attempt ${kind}`);
  for (const [index, { id, token, outcome }] of changes.settle.entries()) {
    note(`settlement of ${outcome.kind} ${committed.settled[index] ?? ""}`);
    const isSame = (other: Changes): boolean => other.settle.some((one) => one.id === id && one.token === token);
    if (committed.settled[index] === "stale" && together.some(isSame)) note("stale by a settlement sent with it");
  }
  for (const [index, id] of committed.replayed.entries()) {
    note(id === undefined ? "replay not made" : "replay made");
    const isSettledToo = changes.settle.some((one) => one.id === changes.replay[index]?.of);
    if (isSettledToo && id !== undefined) note("replay of a delivery that the same commit settles");
  }
}

type Limited<T extends { readonly limit: number }> = (request: T, now: EpochMs) => Promise<number>;

function limited<T extends { readonly limit: number }>(work: Limited<T>, what: string, note: Note): Limited<T> {
  return async (request, now) => {
    const count = await work(request, now);
    if (count > 0) note(`some ${what}`);
    if (count > 0 && count === request.limit) note(`${what} up to the limit`);
    return count;
  };
}
