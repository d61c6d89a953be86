// Delivery stores, each broken in one way that has happened to real ones. The contract suite must catch each of
// them; what it catches them by stands in docs/contracts.md.

import type { EpochMs } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStoreSupport } from "@postrider/testkit/contracts";
import { createForgetfulStore, createLaggingStore, createTrustingStore } from "./broken/after-restarts.js";
import { aliasingBodies, throughText } from "./broken/bytes.js";
import { claimingWithoutLock, ignoringTokens, keepingShares, settlingTwice, triedByClaim } from "./broken/claims.js";
import { committingInSlices, createStubbornStorage, losingLateAttempts, unhanded } from "./broken/commits.js";
import { countingPulls, driftingCounters, receivingRepeats } from "./broken/counters.js";
import {
  endingAll,
  followingTheLast,
  hidingPurged,
  keepingAnswers,
  numberingAnew,
  openingLate,
  purgingAnew,
  purgingOneSlice,
  rememberingSuppressed,
  sparingAudiences,
  storingTheOutdated,
  suppressingAll,
  suppressingInMemory,
} from "./broken/deletions.js";
import { countingWhatIsLeft, seeingAllSources, seeingDeliveries, seeingForEver } from "./broken/seeing.js";
import { overOneDisk, type Storage } from "./broken/storage.js";

export interface BrokenStore {
  readonly name: string;
  /** The promise that it breaks above all. */
  readonly breaks: string;
  /** A new storage; what it answers opens that storage. */
  readonly create: () => Storage;
  readonly supports?: Partial<DeliveryStoreSupport>;
}

const ALONE = { sharing: { reason: "each store has a memory of its own" } } as const;
const ROOMY = { full: { reason: "it takes whatever comes" } } as const;

export const BROKEN_STORES: readonly BrokenStore[] = [
  {
    name: "acks before commit",
    breaks: "a final state survives a crash right after its settlement",
    supports: { ...ALONE, ...ROOMY },
    create: createLaggingStore,
  },
  {
    name: "loses on restart",
    breaks: "an accepted message survives a crash right after the commit, bit for bit",
    supports: { ...ALONE, ...ROOMY },
    create: () => ({ open: () => Promise.resolve(createMemoryStore({ disk: createMemoryDisk() })) }),
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
    name: "forgets the share of retries",
    breaks: "a claim that names its retries hands out so many, and the rest of those never tried",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        claim: (request, now) => {
          const lanes = request.lanes.map(({ lane, limit }) => ({ lane, limit }));
          return store.claim({ ...request, lanes }, now);
        },
      })),
  },
  {
    name: "forgets who has waited for a share",
    breaks: "each kind has its share, whichever is due first",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        claim: (request, now) => {
          const lanes = request.lanes.map((asked) => (asked.retries === undefined ? asked : { ...asked, retries: 0 }));
          return store.claim({ ...request, lanes }, now);
        },
      })),
  },
  {
    name: "leaves the rest of a share",
    breaks: "where fewer of one kind are due than its share, the other fills up",
    create: () => overOneDisk(keepingShares),
  },
  {
    name: "takes who was claimed for one that was tried",
    breaks: "what was claimed and never tried counts as never tried, whatever became of its lease",
    create: () => overOneDisk(triedByClaim),
  },
  {
    name: "shares what nobody asked it to share",
    breaks: "a claim that names no retries hands out whatever is due first",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        claim: (request, now) => {
          const lanes = request.lanes.map((asked) => ({ retries: 0, ...asked }));
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
    name: "sees nothing of what went nowhere",
    breaks: "a message that was filtered everywhere is seen with no delivery",
    create: () => overOneDisk(seeingDeliveries),
  },
  {
    name: "counts the deliveries that are left of what it has seen",
    breaks: "repeats, replays and sweeps change nothing of what is seen",
    create: () => overOneDisk(countingWhatIsLeft),
  },
  {
    name: "sees what is more than a day old",
    breaks: "a message id is seen for as long as it makes duplicates, and no longer",
    create: () => overOneDisk(seeingForEver),
  },
  {
    name: "sees an id of any source",
    breaks: "an id is seen of the source that is asked for, or of each source that has it",
    create: () => overOneDisk(seeingAllSources),
  },
  {
    name: "counters drift",
    breaks: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    create: () => overOneDisk(driftingCounters({ byClaims: new Map(), held: new Set() })),
  },
  {
    name: "commits in slices",
    breaks: "a commit that does not fit rejects with `full`, and leaves nothing of what was in it",
    create: () => overOneDisk((store) => ({ ...store, commit: committingInSlices(store) })),
  },
  {
    name: "takes so many at a time and no more",
    breaks: "a commit of 2,500 messages is stored whole",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: async (changes, now) => {
          const accept = changes.accept.slice(0, 1_000);
          const { accepted, ...answers } = await store.commit({ ...changes, accept }, now);
          return { ...answers, accepted: changes.accept.map((_, index) => accepted[index] ?? { kind: "duplicate" }) };
        },
      })),
  },
  {
    name: "is full for everything",
    breaks: "settlements go through where there is no room for messages",
    create: createStubbornStorage,
  },
  {
    name: "answers in an order of its own",
    breaks: "a commit of many arrivals answers each list in its order",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: async (changes, now) => {
          const committed = await store.commit(changes, now);
          return { ...committed, settled: committed.settled.toSorted() };
        },
      })),
  },
  {
    name: "takes a late attempt for a part of the settlement",
    breaks: "a settlement and a late attempt of one delivery go into one commit",
    create: () => overOneDisk((store) => ({ ...store, commit: losingLateAttempts(store) })),
  },
  {
    name: "claims what it has handed on",
    breaks: "no claim hands out what a commit stores claimed, made at the same time or later",
    create: () =>
      overOneDisk((store) => ({ ...store, commit: (changes, now) => store.commit(unhanded(changes, now), now) })),
  },
  {
    name: "strands what it has handed on",
    breaks: "what is stored claimed is claimed by another once its lease has ended, and not before",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: (changes, now) => store.commit({ ...changes, lease: { ...changes.lease, leaseMs: A_YEAR_MS } }, now),
      })),
  },
  {
    name: "takes what it has handed on for delivered, after a crash",
    breaks: "what is stored claimed survives a crash: its token still settles it, and its lease ends at its time",
    supports: ROOMY,
    create: createTrustingStore,
  },
  {
    name: "counts what it brings forward",
    breaks: "what is brought forward moves no counter, and what is finished stays as it is",
    create: () => overOneDisk(countingPulls({ pulled: 0 })),
  },
  {
    name: "counts what comes again",
    breaks: "what was stored counts as received once, wherever it goes; repeats and replays do not",
    create: () => overOneDisk(receivingRepeats),
  },
  {
    name: "remembers whom it turned away",
    breaks: "nothing is kept of a suppressed user's message, its id neither, and it is counted",
    create: () => overOneDisk(rememberingSuppressed(new Set())),
  },
  {
    name: "suppresses in memory",
    breaks: "a suppression survives a crash, and so does its end",
    create: () => overOneDisk(suppressingInMemory),
  },
  {
    name: "numbers requests anew in each process",
    breaks: "each request has a number beyond those of all before, wherever it is found, after a crash too",
    create: () => overOneDisk(numberingAnew),
  },
  {
    name: "stores what was made before a request",
    breaks: "what was made before the last request, and says so, is not stored, and counts nowhere",
    create: () => overOneDisk(storingTheOutdated),
  },
  {
    name: "spares what audiences tell",
    breaks: "what an audience tells of a user is purged, whatever sources the request is limited to",
    create: () => overOneDisk(sparingAudiences),
  },
  {
    name: "suppresses whoever is deleted",
    breaks: "who is told to be deleted, and not suppressed, is not turned away",
    create: () => overOneDisk(suppressingAll),
  },
  {
    name: "takes a request in hand when it purges",
    breaks: "what waits of a user is not handed out once a request is kept, but dead as purged",
    create: () => overOneDisk(openingLate),
  },
  {
    name: "hides that a deletion came in between",
    breaks: "what is claimed of a user may be delivered; settled in any other way it is dead as purged",
    create: () => overOneDisk(hidingPurged),
  },
  {
    name: "purges what came later",
    breaks: "what is stored after the request is none of its business",
    create: () => overOneDisk(purgingAnew),
  },
  {
    name: "purges one slice",
    breaks: "a purge goes in slices, and goes on after a crash where it was",
    create: () => overOneDisk(purgingOneSlice),
  },
  {
    name: "keeps what receivers answered",
    breaks: "a purge removes bodies and what receivers answered, and leaves the rest",
    create: () => overOneDisk(keepingAnswers(new Map())),
  },
  {
    name: "goes back with the notices",
    breaks: "how far the notices have come is kept, and never goes back",
    create: () => overOneDisk(followingTheLast(new Map())),
  },
  {
    name: "ends what is not done",
    breaks: "a request ends once it is purged and notified, and forgets whom it named",
    create: () => overOneDisk(endingAll),
  },
];

const A_YEAR_MS = 31_536_000_000;
