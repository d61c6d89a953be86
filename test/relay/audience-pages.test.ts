// Reading and cutting sets: pages of any size give the same members, chunks and commits keep their bounds to the member, and
// requests about users are found whatever the pages of their list.

import type { AudienceRecord, AudienceStore, DeletionRecord, DeletionStore, Member } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { ok, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { AudienceStorage } from "../../packages/relay/src/audiences/audience-storage.js";
import type { SyncBounds } from "../../packages/relay/src/audiences/audiences.js";
import { collect, mergeRuns } from "../../packages/relay/src/audiences/collect.js";
import { createLongWork } from "../../packages/relay/src/loop.js";
import { type setPages, snapshotPages } from "../../packages/relay/src/audiences/pages.js";
import { requestsWithin, usersToNotify } from "../../packages/relay/src/audiences/requests.js";
import type { CollectTask } from "../../packages/relay/src/audiences/sync-task.js";
import { LONG_WORK_SLICE_MS, SYNC_BOUNDS } from "../../packages/relay/src/limits.js";
import "../property.js";

/** A store of sets that answers pages of `pageSize` members, and keeps each append. */
function openSets(pageSize: number) {
  const sets = new Map<string, Member[]>();
  const appends: number[] = [];
  let reads = 0;
  const store = {
    read: (set: string, after: string | undefined) => {
      reads += 1;
      const remaining = (sets.get(set) ?? []).filter(({ userId }) => after === undefined || userId > after);
      return Promise.resolve(remaining.slice(0, pageSize));
    },
    append: (set: string, members: readonly Member[]) => {
      appends.push(members.length);
      sets.set(set, [...(sets.get(set) ?? []), ...members]);
      return Promise.resolve();
    },
    drop: (set: string) => {
      sets.delete(set);
      return Promise.resolve(true);
    },
  } as unknown as AudienceStore;
  const storage = {
    ask: async <T>(question: (asked: AudienceStore) => Promise<T>) => ok(await question(store)),
  } as AudienceStorage;
  return { sets, appends, storage, reads: () => reads };
}

function letters(text: string): readonly string[] {
  return text.split("");
}

function member(userId: string, value?: string): Member {
  return value === undefined ? { userId } : { userId, value };
}

async function readAll(pages: ReturnType<typeof setPages>): Promise<readonly string[]> {
  const userIds: string[] = [];
  for (;;) {
    const page = (await pages())._unsafeUnwrap();
    if (page.length === 0) return userIds;
    userIds.push(...page.map(({ userId }) => userId));
  }
}

const userIds = fc.uniqueArray(fc.constantFrom(...letters("abcdefghij")), { maxLength: 10 });

describe("the pages of a snapshot", () => {
  it("have the members of each part up to its end, after the point that was reached, whatever their size", async () => {
    const part = { low: userIds, high: userIds, bound: fc.constantFrom(...letters("abcdefghij")) };
    const property = fc.asyncProperty(
      fc.record({ ...part, size: fc.integer({ min: 1, max: 4 }), after: fc.option(part.bound, { nil: undefined }) }),
      async ({ low, high, bound, size, after }) => {
        const { sets, storage } = openSets(size);
        sets.set(
          "low",
          low.toSorted().map((id) => member(id)),
        );
        sets.set(
          "high",
          high.toSorted().map((id) => member(id)),
        );
        const parts = [
          { set: "low", upTo: bound },
          { set: "high", upTo: null },
        ];
        const expected = [...low.filter((id) => id <= bound), ...high.filter((id) => id > bound)].toSorted();
        expect(await readAll(snapshotPages(storage, parts, after))).toEqual(
          expected.filter((id) => after === undefined || id > after),
        );
      },
    );
    await fc.assert(property);
  });

  it("ask for no further page of a part once one has passed its end", async () => {
    const { sets, storage, reads } = openSets(3);
    sets.set(
      "low",
      letters("abcdef").map((id) => member(id)),
    );
    sets.set(
      "high",
      letters("xyz").map((id) => member(id)),
    );
    const parts = [
      { set: "low", upTo: "b" },
      { set: "high", upTo: null },
    ];
    expect(await readAll(snapshotPages(storage, parts, undefined))).toEqual(letters("abxyz"));
    expect(reads()).toBe(3);
  });
});

function taskOf(sets: ReturnType<typeof openSets>, bounds: Partial<SyncBounds>, told: string[] = []): CollectTask {
  const record = { key: "vip", kind: "trait", syncs: 1 } as AudienceRecord;
  return {
    storage: sets.storage,
    work: createLongWork(createManualClock(), () => true),
    bounds: { ...SYNC_BOUNDS, ...bounds },
    lease: { record: () => record },
    progress: ({ phase, done, total }: { phase: string; done: number; total?: number }) =>
      told.push([phase, done, total].filter((part) => part !== undefined).join(" ")),
  } as unknown as CollectTask;
}

const memberList = fc.array(fc.tuple(fc.constantFrom(...letters("abcdefghijkl")), fc.constantFrom("1", "2", "3")), {
  maxLength: 40,
});

describe("the members of a sync", () => {
  it("are one sorted set with the last value of each user, whatever the bounds", async () => {
    const small = fc.integer({ min: 1, max: 5 });
    const bounds = fc.record({ chunkMembers: small, runChunks: small, appendMembers: small, mergeRuns: small });
    const property = fc.asyncProperty(memberList, bounds, small, async (members, limits, pageSize) => {
      const sets = openSets(pageSize);
      const task = taskOf(sets, limits);
      const list = members.map(([userId, value]) => ({ userId, value }));
      const runs = (await collect(task, list))._unsafeUnwrap();
      const whole = (await mergeRuns(task, runs))._unsafeUnwrap();
      const last = new Map(members);
      const setMembers = sets.sets.get(whole.set) ?? [];
      expect(setMembers.map(({ userId }) => userId)).toEqual([...last.keys()].toSorted());
      for (const { userId, value } of setMembers) expect(value).toContain(last.get(userId));
      expect(whole.memberCount).toBe(last.size);
      expect(Math.max(0, ...sets.appends)).toBeLessThanOrEqual(limits.appendMembers);
      expect([...sets.sets.keys()]).toEqual(last.size === 0 ? [] : [whole.set]);
    });
    await fc.assert(property);
  });

  it("are sorted in chunks of exactly the bound, and appended in commits of it", async () => {
    const progress: string[] = [];
    const sets = openSets(10);
    const runs = await collect(
      taskOf(sets, { chunkMembers: 3, runChunks: 2, appendMembers: 4 }, progress),
      letters("gfedcba").map((userId) => ({ userId, value: "1" })),
    );
    expect(progress).toEqual(["collecting 3", "collecting 6", "collecting 7"]);
    expect(sets.appends).toEqual([4, 2, 1]);
    expect(runs._unsafeUnwrap().map(({ memberCount }) => memberCount)).toEqual([6, 1]);
  });

  it("that come in order are one run, and a repeat of the last user begins another", async () => {
    const runsOf = async (text: string): Promise<readonly number[]> => {
      const task = taskOf(openSets(10), { chunkMembers: 1, runChunks: 1 });
      const runs = await collect(
        task,
        letters(text).map((userId) => ({ userId, value: "1" })),
      );
      return runs._unsafeUnwrap().map(({ memberCount }) => memberCount);
    };
    expect(await runsOf("abcd")).toEqual([4]);
    expect(await runsOf("abbc")).toEqual([2, 2]);
    expect(await runsOf("dcba")).toEqual([1, 1, 1, 1]);
  });

  it("are merged as many runs at a time as the bound allows, at least two, and each pass reports its progress", async () => {
    const progress: string[] = [];
    const merged = async (atOnce: number): Promise<readonly number[]> => {
      const sets = openSets(10);
      const task = taskOf(sets, { chunkMembers: 1, runChunks: 1, mergeRuns: atOnce }, progress);
      const runs = (
        await collect(
          task,
          letters("edcba").map((userId) => ({ userId, value: "1" })),
        )
      )._unsafeUnwrap();
      sets.appends.length = 0;
      (await mergeRuns(task, runs))._unsafeUnwrap();
      return sets.appends;
    };
    expect(await merged(5)).toEqual([5]);
    expect(progress.at(-1)).toBe("merging 5 5");
    expect(await merged(4)).toEqual([4, 5]);
    expect(await merged(2)).toEqual([2, 2, 4, 5]);
    expect(await merged(0)).toEqual([2, 2, 4, 5]);
  });
});

describe("long work", () => {
  it("lets other work run once it has had the thread for a time, and not before", async () => {
    const clock = createManualClock();
    const work = createLongWork(clock, () => true);
    expect(work.yieldIfLong()).toBeUndefined();
    await clock.advance(LONG_WORK_SLICE_MS - 1);
    expect(work.yieldIfLong()).toBeUndefined();
    await clock.advance(1);
    const pause = work.yieldIfLong();
    expect(pause).toBeInstanceOf(Promise);
    await clock.advance(0);
    await pause;
    expect(work.yieldIfLong()).toBeUndefined();
  });
});

/** Requests with these numbers, listed newest first on pages of `pageSize`. */
function openRequests(records: readonly Partial<DeletionRecord>[], pageSize: number) {
  let lists = 0;
  const newest = records.toReversed() as readonly DeletionRecord[];
  const deletions = {
    list: ({ after }: { after?: string }) => {
      lists += 1;
      const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
      const page = newest.slice(from, from + pageSize);
      return Promise.resolve({ deletions: page, more: from + pageSize < newest.length });
    },
    find: (id: string) => Promise.resolve(newest.find((one) => one.id === id)),
  } as unknown as DeletionStore;
  const askDeletions = <T>(question: (store: DeletionStore) => Promise<T>): ResultAsync<T, never> =>
    ResultAsync.fromSafePromise(question(deletions));
  return { storage: { askDeletions }, lists: () => lists };
}

function request(number: number, changes: Partial<DeletionRecord> = {}): DeletionRecord {
  const id = `r${String(number)}` as DeletionRecord["id"];
  return { id, number, regulation: "delete-only", users: 1, notified: 0, ...changes } as DeletionRecord;
}

describe("the requests within a span", () => {
  it("are those after its beginning up to its end, oldest first, whatever the pages", async () => {
    const number = fc.integer({ min: 0, max: 12 });
    const property = fc.asyncProperty(number, number, fc.integer({ min: 1, max: 4 }), async (after, upTo, pageSize) => {
      const { storage } = openRequests(
        Array.from({ length: 10 }, (_, at) => request(at + 1)),
        pageSize,
      );
      const requests = (await requestsWithin(storage, { after, upTo }))._unsafeUnwrap();
      const numbers = Array.from({ length: 10 }, (_, at) => at + 1);
      expect(requests.map((one) => one.number)).toEqual(numbers.filter((one) => one > after && one <= upTo));
    });
    await fc.assert(property);
  });

  it("are read no further back than to its beginning, and not at all if it is empty", async () => {
    const tenRequests = Array.from({ length: 10 }, (_, at) => request(at + 1));
    for (const [after, lists] of [
      [9, 1],
      [8, 2],
      [7, 2],
      [6, 3],
      [10, 0],
    ] as const) {
      const requests = openRequests(tenRequests, 2);
      (await requestsWithin(requests.storage, { after, upTo: 10 }))._unsafeUnwrap();
      expect([after, requests.lists()]).toEqual([after, lists]);
    }
  });

  it("are none that only end a suppression, and none of a store without requests", async () => {
    const { storage } = openRequests([request(1, { regulation: "unsuppress" }), request(2)], 5);
    expect((await requestsWithin(storage, { after: 0, upTo: 9 }))._unsafeUnwrap()).toEqual([request(2)]);
    expect((await requestsWithin({}, { after: 0, upTo: 9 }))._unsafeUnwrap()).toEqual([]);
  });

  it("name the users whose notices are not all stored yet", async () => {
    const { storage } = openRequests(
      [
        request(1, { userIds: ["a"], notified: 1 }),
        request(2, { userIds: ["b", "c"], users: 2, notified: 1 }),
        request(3, { userIds: ["d"] }),
      ],
      5,
    );
    expect((await usersToNotify(storage, 2))._unsafeUnwrap()).toEqual(new Set(["b", "c"]));
    expect((await usersToNotify(storage, 3))._unsafeUnwrap()).toEqual(new Set(["b", "c", "d"]));
  });
});
