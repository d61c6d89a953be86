// Delivery stores that are broken at an edge: a look-alike, a published limit, a member of a closed list, a clock that goes
// back. Each must fail the promise that it names; the others are in broken-stores.ts.

import { countingInAnObject, foldingDeletions, matchingByLike, merging, readingNumbers } from "./broken/edges.js";
import {
  accepting,
  appending,
  claiming,
  cuttingExcerpts,
  endingEmptySlices,
  filteringByPresence,
  hashOf,
  keepingDetails,
  keepingUsers,
  mixingRegulations,
  pagingByDefault,
  rememberingIds,
  replayingBefore,
  storing,
  takingNoneForAll,
} from "./broken/limits.js";
import {
  answeringAtOnce,
  holdingTime,
  listingByTime,
  lookingBriefly,
  rejectingAsItsDriver,
  rememberingFrom,
  storingBuffers,
  throwingOnceClosed,
  writingAsJson,
} from "./broken/times-and-bytes.js";
import { epochMs } from "@postrider/core";
import type { BrokenStore } from "./broken-stores.js";
import { overOneDisk } from "./broken/storage.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** A lone surrogate becomes U+FFFD, as in each store that keeps UTF-8. */
const toUtf8 = (text: string): string => decoder.decode(encoder.encode(text));

const LOOK_ALIKES: readonly BrokenStore[] = [
  {
    name: "compares message ids without case",
    breaks: "a message id comes back as it was given, and is distinct from all that look alike",
    create: () => overOneDisk(merging("message", (id) => id.toLowerCase())),
  },
  {
    name: "compares message ids as numbers where they are some",
    breaks: "a message id is a duplicate only of itself, and seen only by itself",
    create: () =>
      overOneDisk(
        merging("message", (id) => (id.trim() === "" ? id : String(Number(id)) === "NaN" ? id : String(Number(id)))),
      ),
  },
  {
    name: "finds message ids by LIKE",
    breaks: "a message id comes back as it was given, and is distinct from all that look alike",
    create: () => overOneDisk(matchingByLike),
  },
  {
    name: "compares 64 characters of a source",
    breaks: "a source is distinct from all that look alike: its messages, and what is seen of it",
    create: () => overOneDisk(merging("source", (id) => id.slice(0, 64))),
  },
  {
    name: "counts by source in a plain object",
    breaks: "a source is counted without those that look alike",
    create: () => overOneDisk(countingInAnObject({})),
  },
  {
    name: "trims the blanks of a lane",
    breaks: "a lane is distinct from all that look alike: in lists, in pages of lanes, in claims",
    create: () => overOneDisk(merging("lane", (id) => id.trimEnd())),
  },
  {
    name: "pulls in a lane as a number where it is one",
    breaks: "a lane is pulled in without those that look alike",
    create: () => overOneDisk(merging("lane", (id) => (/^\d+[.e]\d+$/.test(id) ? String(Number(id)) : id))),
  },
  {
    name: "compares tokens up to their first NUL",
    breaks: "a token settles its own deliveries, and none of a token that looks alike",
    create: () => overOneDisk(merging("token", (token) => token.split("\u0000")[0] ?? "")),
  },
  {
    name: "normalises user ids to NFC",
    breaks: "a suppressed user is distinct from all that look alike",
    create: () => overOneDisk(merging("user", (id) => id.normalize("NFC"))),
  },
  {
    name: "stores endpoints as UTF-8",
    breaks: "an endpoint is distinct from all that look alike: its attempts and its state",
    create: () => overOneDisk(merging("endpoint", toUtf8)),
  },
  {
    name: "cuts details at 255 characters",
    breaks: "a detail comes back as it was given",
    create: () => overOneDisk(merging("detail", (detail) => detail.slice(0, 255))),
  },
  {
    name: "compares deletion requests without case",
    breaks: "a deletion request is distinct from all that look alike: its users, its place in the list, its notices",
    create: () => overOneDisk(foldingDeletions),
  },
  {
    name: "reads ids of deliveries as numbers",
    breaks: "the id of a delivery is found, replayed and settled as it is, and not as what looks alike",
    create: () => overOneDisk(readingNumbers),
  },
  {
    name: "trims cursors",
    breaks: "what looks like a cursor finds nothing",
    create: () => overOneDisk(readingNumbers),
  },
];

const LIMITS: readonly BrokenStore[] = [
  {
    name: "names 100 lanes in a claim",
    breaks: "a claim takes from as many lanes as one claim may name, from each as many as there may be in all",
    create: () => overOneDisk(claiming((request) => ({ ...request, lanes: request.lanes.slice(0, 100) }))),
  },
  {
    name: "claims 100 deliveries at most",
    breaks: "a claim takes from as many lanes as one claim may name, from each as many as there may be in all",
    create: () =>
      overOneDisk(
        claiming((request) => {
          const lanes = request.lanes.map((asked) => ({ ...asked, limit: Math.min(asked.limit, 100) }));
          return { ...request, lanes };
        }),
      ),
  },
  {
    name: "keeps the first user of a message",
    breaks: "each user of a message is found by a suppression and by a purge, whatever its place",
    create: () =>
      overOneDisk(accepting(({ userIds = [], ...message }) => ({ ...message, userIds: userIds.slice(0, 1) }))),
  },
  {
    name: "keeps 1,000 users of a request",
    breaks: "each of the 5,000 users of a request is stored, suppressed and no longer suppressed",
    create: () => overOneDisk(keepingUsers(1_000)),
  },
  {
    name: "purges 4,999 users of a request",
    breaks: "users at any place of a request of 5,000 are purged, and their notices counted to the last",
    create: () => overOneDisk(keepingUsers(4_999)),
  },
  {
    name: "takes a request without a source for one of all",
    breaks: "a request without a source purges nothing but audiences, and is no request of all sources",
    create: () => overOneDisk(takingNoneForAll),
  },
  {
    name: "keeps 1,000 bytes of an excerpt",
    breaks: "as many endpoints as a destination may have keep their excerpts of 4,096 bytes, and an empty one",
    create: () => overOneDisk(cuttingExcerpts(1_000)),
  },
  {
    name: "keeps durations in 32 bits",
    breaks: "a duration and a round of any whole number come back as they were, of late attempts too",
    create: () => overOneDisk(storing<number>(["durationMs"], (ms) => ms | 0)),
  },
  {
    name: "keeps durations of late attempts in 32 bits",
    breaks: "a duration and a round of any whole number come back as they were, of late attempts too",
    create: () => overOneDisk(appending((attempt) => ({ ...attempt, durationMs: attempt.durationMs | 0 }))),
  },
  {
    name: "keeps starts of late attempts in whole seconds",
    breaks: "an instant comes back to the millisecond: when an attempt started, when a round is due again",
    create: () =>
      overOneDisk(
        appending(({ startedAt, ...attempt }) => ({
          ...attempt,
          startedAt: (Math.floor(startedAt / 1_000) * 1_000) as typeof startedAt,
        })),
      ),
  },
  {
    name: "keeps counts of shed calls in 32 bits",
    breaks: "counts are added up beyond 32 bits",
    create: () => overOneDisk(storing<number>(["shed"], (count) => count | 0)),
  },
  {
    name: "remembers 1,000 message ids",
    breaks: "a message id is remembered however many others follow, and makes none of them a duplicate",
    create: () => rememberingIds(1_000),
  },
  {
    name: "compares 20 bits of message ids",
    breaks: "a message id is remembered however many others follow, and makes none of them a duplicate",
    create: () => overOneDisk(merging("message", (id) => hashOf(id, 20))),
  },
  {
    name: "takes a share of no retries for no share",
    breaks: "a claim with a number of retries hands out that many retries; the rest were never tried",
    create: () =>
      overOneDisk(
        claiming(({ lanes, ...request }) => ({
          ...request,
          lanes: lanes.map(({ lane, limit, retries }) => (retries ? { lane, limit, retries } : { lane, limit })),
        })),
      ),
  },
  {
    name: "keeps the detail before an empty one",
    breaks: "an empty detail is a detail: of each outcome, after another one, and in a list",
    create: () => overOneDisk(keepingDetails),
  },
  {
    name: "lists nothing by an empty detail",
    breaks: "an empty detail is a detail: of each outcome, after another one, and in a list",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        list: ({ details, ...query }) =>
          store.list(details === undefined ? query : { ...query, details: details.filter((detail) => detail !== "") }),
      })),
  },
  {
    name: "keeps due times of replays up to the year 9999",
    breaks: "an instant comes back to the millisecond: when an attempt started, when a round is due again",
    create: () => overOneDisk(replayingBefore(epochMs(253_402_300_800_000))),
  },
  {
    name: "takes an empty detail of an end for none",
    breaks: "an ended delivery gets the detail of the request, if that has one",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        end: ({ detail, ...request }, now) => store.end(detail ? { ...request, detail } : request, now),
      })),
  },
  {
    name: "keeps counts in 32 bits",
    breaks: "counts are added up beyond 32 bits",
    create: () => overOneDisk(storing<number>(["refused"], (count) => count | 0)),
  },
  {
    name: "keeps instants in seconds as single floats",
    breaks: "an instant comes back to the millisecond: when it was accepted, when it is due",
    create: () =>
      overOneDisk(storing<number>(["receivedAt", "dueAt"], (at) => Math.round(Math.fround(at / 1_000) * 1_000))),
  },
  {
    name: "keeps the start of an attempt in whole seconds",
    breaks: "an instant comes back to the millisecond: when an attempt started, when a round is due again",
    create: () => overOneDisk(storing<number>(["startedAt"], (at) => Math.floor(at / 1_000) * 1_000)),
  },
  {
    name: "keeps the length of a lease in 32 bits",
    breaks: "a lease of any length ends when it ends",
    create: () => overOneDisk(claiming((request) => ({ ...request, leaseMs: request.leaseMs | 0 }))),
  },
  {
    name: "gives 50 deliveries to a list that asks for none",
    breaks: "a page of deliveries or lanes with a limit of 0 is empty, and one beyond all has all",
    create: () => overOneDisk(pagingByDefault),
  },
  {
    name: "ends 100 deliveries where none are asked for",
    breaks: "an end with a limit of 0 takes nothing, with 1 one at a time, and beyond all it takes all",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        end: (request, now) => store.end({ ...request, limit: request.limit || 100 }, now),
      })),
  },
  {
    name: "brings 100 deliveries forward where none are asked for",
    breaks: "a pull-in with a limit of 0 takes nothing, with 1 one at a time, and beyond all it takes all",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        pullIn: (request, now) => store.pullIn({ ...request, limit: request.limit || 100 }, now),
      })),
  },
  {
    name: "purges all in a slice of none",
    breaks: "a purge with a limit of 0 or 1 changes no more than that, and one beyond all finishes",
    create: () => overOneDisk(endingEmptySlices),
  },
];

const MEMBERS: readonly BrokenStore[] = [
  {
    name: "stores notices as calls of another type",
    breaks: "a message of each type is stored, found, claimed and listed by its type",
    create: () =>
      overOneDisk(accepting((message) => (message.type === "delete" ? { ...message, type: "track" } : message))),
  },
  {
    name: "does not know one of the faults",
    breaks: "an attempt with each result and each verdict is stored as it was, of a settlement and late",
    create: () => overOneDisk(storing<string>(["fault"], (fault) => (fault === "local" ? "network" : fault))),
  },
  {
    name: "stores a verdict as whether it was a success",
    breaks: "an attempt with each result and each verdict is stored as it was, of a settlement and late",
    create: () => overOneDisk(storing<string>(["verdict"], (verdict) => (verdict === "success" ? verdict : "retry"))),
  },
  {
    name: "mixes two reasons",
    breaks: "a delivery in each state, and dead for each reason, is listed and counted as that",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        end: (request, now) =>
          store.end(request.reason === "destination-removed" ? { ...request, reason: "expired" } : request, now),
      })),
  },
  {
    name: "mixes two regulations",
    breaks: "a request of each regulation keeps it, and suppresses, purges and ends what it says",
    create: () => overOneDisk(mixingRegulations),
  },
  {
    name: "replays as waiting whatever was asked for",
    breaks: "a new delivery, and a replay, begins in each initial state",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: (changes, now) => {
          const replay = changes.replay.map((asked) => ({ ...asked, start: { kind: "waiting", dueAt: now } }) as const);
          return store.commit({ ...changes, replay }, now);
        },
      })),
  },
  {
    name: "counts only some of the filtered units",
    breaks: "a unit filtered for each reason is counted as filtered",
    create: () =>
      overOneDisk(
        accepting((message) => {
          const filtered = message.filtered.filter(({ reason }) => reason !== "destination-off");
          return { ...message, filtered };
        }),
      ),
  },
  {
    name: "takes a flag that is false for one that is true",
    breaks: "a flag that is false asks for the same as one that is absent",
    create: () => overOneDisk(filteringByPresence),
  },
];

const TIMES_AND_BYTES: readonly BrokenStore[] = [
  {
    name: "does not let time go back",
    breaks: "after the clock was set back a claim takes what is due at the earlier time, and nothing else",
    create: () => overOneDisk(holdingTime({ now: 0 })),
  },
  {
    name: "forgets what was seen after the time that the clock was set back to",
    breaks: "after the clock was set back by an hour a message is still a duplicate, and seen at its time",
    create: () => overOneDisk(rememberingFrom(new Map())),
  },
  {
    name: "lists by the time of acceptance",
    breaks: "a list shows what was stored last first, whatever the clock said, and each delivery once",
    create: () => overOneDisk(listingByTime),
  },
  {
    name: "writes bodies as JSON",
    breaks: "bytes of a class with `toJSON`, as a Buffer is come back as they were",
    create: () => overOneDisk(writingAsJson),
  },
  {
    name: "stores the buffer around a body",
    breaks: "bytes that are a view into a larger buffer come back as they were",
    create: () => overOneDisk(storingBuffers),
  },
  {
    name: "throws once it is closed",
    breaks: "a method of a store that is closed throws nothing: its promise may reject, as a StoreError",
    create: () => overOneDisk(throwingOnceClosed),
  },
  {
    name: "rejects with the error of its driver",
    breaks: "a method of a store that is closed throws nothing: its promise may reject, as a StoreError",
    create: () => overOneDisk(rejectingAsItsDriver),
  },
  {
    name: "answers without a promise",
    breaks: "every method answers with a promise",
    create: () => overOneDisk(answeringAtOnce),
  },
  {
    name: "looks at 999 deliveries for a page",
    breaks: "a page is full if no more than 1,000 deliveries have to be looked at for it",
    create: () => overOneDisk(lookingBriefly(999)),
  },
];

export const EDGE_STORES: readonly BrokenStore[] = [...LOOK_ALIKES, ...LIMITS, ...MEMBERS, ...TIMES_AND_BYTES].map(
  (store) => ({ ...store, skipsModel: true }),
);
