// A check of the suite: each broken storage must fail the promise that it breaks.

import type { CallChange, CallStorage, KeptCall, KeptCallPage } from "@postrider/core";
import { createMemoryCallStorage } from "@postrider/memory";
import { callStorageContract } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { fails } from "./fails.js";

/** Makes a broken storage from a working one, which is the same each time that it is opened. */
type Break = (works: CallStorage, opened: number) => CallStorage;

const PAGES = "answers a page from the named call on, with the call after it and the number of all";

const BROKEN: readonly (readonly [name: string, breaks: string, spoil: Break])[] = [
  ["brings a call along", "keeps nothing at first", (works) => onLoad(works, (kept) => [...kept, A_CALL])],
  [
    "answers newest first",
    "keeps calls as they were, oldest first",
    (works) => onLoad(works, (kept) => kept.toReversed()),
  ],
  [
    "sorts by name",
    "keeps calls as they were, oldest first",
    (works) => onLoad(works, (kept) => kept.toSorted(byName)),
  ],
  [
    "takes everything for a track call",
    "keeps calls as they were, oldest first",
    (works) => onLoad(works, (kept) => kept.map((call) => ({ ...call, type: "track" }))),
  ],
  [
    "writes UTF-8",
    "keeps every character of names and calls",
    (works) =>
      onLoad(works, (kept) => kept.map((call) => ({ ...call, messageId: Buffer.from(call.messageId).toString() }))),
  ],
  [
    "ends texts at a NUL",
    "keeps every character of names and calls",
    (works) => onLoad(works, (kept) => kept.map((call) => ({ ...call, json: call.json.split("\0", 1).join() }))),
  ],
  [
    "cuts what is long",
    "keeps the largest call, and many at once",
    (works) => onLoad(works, (kept) => kept.map((call) => ({ ...call, json: call.json.slice(0, 16_384) }))),
  ],
  [
    "keeps 500 at a time",
    "keeps the largest call, and many at once",
    (works) => onChange(works, ({ keep, drop }) => ({ keep: keep.slice(0, 500), drop })),
  ],
  ["always begins with the oldest", PAGES, (works) => ({ ...works, load: ({ limit }) => works.load({ limit }) })],
  ["begins after the named call", PAGES, beginAfter],
  [
    "answers more than was asked for",
    PAGES,
    (works) => ({ ...works, load: ({ from }) => works.load({ from, limit: 9_999 }) }),
  ],
  ["names no next call", PAGES, (works) => onPage(works, (page) => ({ ...page, next: undefined }))],
  ["counts the page", PAGES, (works) => onPage(works, (page) => ({ ...page, stored: page.calls.length }))],
  ["answers nothing from a call that is gone", PAGES, forgetPlace],
  [
    "answers the size of a change",
    "answers each change with the number of calls that are kept",
    (works) => ({ ...works, change: (change) => works.change(change).then(() => change.keep.length) }),
  ],
  ["hides its bound", "says how many calls it has room for", (works) => ({ ...works, maxCalls: Infinity })],
  ["keeps the first of a name", "replaces a call of the same name", keepFirst],
  ["puts a call that comes again at the end", "replaces a call of the same name", putLast],
  [
    "drops one at a time",
    "drops the named calls and no others, whether they are stored or not",
    (works) => onChange(works, ({ keep, drop }) => ({ keep, drop: drop.slice(1) })),
  ],
  ["drops all when it drops", "drops the named calls and no others, whether they are stored or not", dropAll],
  [
    "minds a name that it does not know",
    "drops the named calls and no others, whether they are stored or not",
    mindUnknown,
  ],
  [
    "knows no bound",
    "rejects a change for which there is no room, as full and as a whole",
    () => createMemoryCallStorage(),
  ],
  ["writes half of what it refuses", "rejects a change for which there is no room, as full and as a whole", writeHalf],
  ["drops after it has kept", "has room again once calls are dropped, in the same change too", dropLate],
  [
    "forgets at a crash",
    "after a crash, has the result of every change that was answered",
    (works, opened) => (opened === 1 ? works : createMemoryCallStorage()),
  ],
];

const A_CALL: KeptCall = { messageId: "stray", type: "track", json: "{}" };

describe("the contract suite of the call storage", () => {
  it.each(BROKEN)("catches one that %s", async (_, breaks, spoil) => {
    expect(await trippedOver(spoil)).toContain(breaks);
  });

  it("catches nothing in one that is not broken", async () => {
    expect(await trippedOver((works) => works)).toEqual([]);
  });

  it("leaves out a crash where none is survived, and says so", () => {
    const supports = { restart: { reason: "it is gone" } };
    const cases = callStorageContract({ open: () => Promise.reject(new Error("not to be opened")), supports });
    expect(cases.filter(({ skipped }) => skipped !== undefined).map(({ name }) => name)).toEqual([
      "after a crash, has the result of every change that was answered (not supported: it is gone)",
    ]);
  });
});

async function trippedOver(spoil: Break): Promise<readonly string[]> {
  const storages = new Map<string, { readonly works: CallStorage; opened: number }>();
  const cases = callStorageContract({
    open: (name, maxCalls) => {
      const works = createMemoryCallStorage(maxCalls === undefined ? {} : { maxCalls });
      const storage = storages.get(name) ?? { works, opened: 0 };
      storages.set(name, storage);
      storage.opened += 1;
      return Promise.resolve(spoil(storage.works, storage.opened));
    },
    supports: { restart: true },
  });
  const tripped: string[] = [];
  for (const contractCase of cases) if (await fails(contractCase)) tripped.push(contractCase.name);
  return tripped;
}

function onLoad(works: CallStorage, spoil: (kept: readonly KeptCall[]) => readonly KeptCall[]): CallStorage {
  return onPage(works, (page) => ({ ...page, calls: spoil(page.calls) }));
}

function onPage(works: CallStorage, spoil: (page: KeptCallPage) => KeptCallPage): CallStorage {
  return { ...works, load: async (request) => spoil(await works.load(request)) };
}

function onChange(works: CallStorage, spoil: (change: CallChange) => CallChange): CallStorage {
  return { ...works, change: (change) => works.change(spoil(change)) };
}

function byName(one: KeptCall, other: KeptCall): number {
  return one.messageId < other.messageId ? -1 : 1;
}

function namesOf(calls: readonly KeptCall[]): readonly string[] {
  return calls.map(({ messageId }) => messageId);
}

async function namesIn(works: CallStorage): Promise<readonly string[]> {
  return namesOf((await works.load({ limit: 10_000 })).calls);
}

function keepFirst(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async ({ keep, drop }) => {
    const storedNames = await namesIn(works);
    return works.change({ keep: keep.filter(({ messageId }) => !storedNames.includes(messageId)), drop });
  };
  return { ...works, change };
}

function beginAfter(works: CallStorage): CallStorage {
  const load: CallStorage["load"] = async ({ from, limit }) => {
    const { calls, ...page } = await works.load({ from, limit: limit + 1 });
    return { ...page, calls: from === undefined ? calls.slice(0, limit) : calls.slice(1) };
  };
  return { ...works, load };
}

function forgetPlace(works: CallStorage): CallStorage {
  const load: CallStorage["load"] = async (request) => {
    const page = await works.load(request);
    const isGone = request.from !== undefined && !(await namesIn(works)).includes(request.from);
    return isGone ? { ...page, calls: [], next: undefined } : page;
  };
  return { ...works, load };
}

function putLast(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async (changed) => {
    await works.change({ keep: [], drop: namesOf(changed.keep) });
    return works.change(changed);
  };
  return { ...works, change };
}

function dropAll(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async ({ keep, drop }) => {
    return works.change({ keep, drop: drop.length === 0 ? [] : await namesIn(works) });
  };
  return { ...works, change };
}

function mindUnknown(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async (changed) => {
    const storedNames = await namesIn(works);
    if (changed.drop.some((messageId) => !storedNames.includes(messageId))) throw new Error("not kept");
    return works.change(changed);
  };
  return { ...works, change };
}

function writeHalf(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async ({ keep, drop }) => {
    for (const call of keep) await works.change({ keep: [call], drop: [] });
    return works.change({ keep: [], drop });
  };
  return { ...works, change };
}

function dropLate(works: CallStorage): CallStorage {
  const change: CallStorage["change"] = async ({ keep, drop }) => {
    await works.change({ keep, drop: [] });
    return works.change({ keep: [], drop });
  };
  return { ...works, change };
}
