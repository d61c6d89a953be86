// Delivery stores, each broken in one way that has occurred in real ones. The contract suite must catch each of them;
// docs/contracts.md lists the cases that do.

import type { EpochMs } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStoreSupport } from "@postrider/testkit/contracts";
import { createForgetfulStore, createLaggingStore, createTrustingStore } from "./broken/after-restarts.js";
import { aliasingBodies, throughText } from "./broken/bytes.js";
import { claimingWithoutLock, ignoringTokens, keepingShares, settlingTwice, triedByClaim } from "./broken/claims.js";
import { committingInSlices, createStubbornStorage, losingLateAttempts, unhanded } from "./broken/commits.js";
import { countingPulls, driftingCounters, receivingRepeats } from "./broken/counters.js";
import {
  countingBeyondUsers,
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
import {
  commitsInterrupted,
  createHalfStorage,
  losingTallies,
  settlingAfterReplays,
  sweepingBodiesOfReplays,
  tokensByLane,
} from "./broken/model-order.js";
import {
  agedBySuppressions,
  countingUsers,
  detailingPurged,
  droppingDetails,
  followingTheLatter,
  forgettingEverywhere,
  keepingLateAnswers,
  losingTheCursor,
  losingTheFinished,
  openingFinishedAgain,
  sparingOthers,
  suppressingByProcess,
} from "./broken/model-users.js";
import { rejectingWithObjects } from "./broken/failing-requests.js";
import { LEFT_OVER_STORES } from "./broken-by-what-is-left.js";
import { LANE_STORES } from "./broken-lanes.js";
import { LIST_STORES } from "./broken-lists.js";
import { PART_STORES } from "./broken-parts.js";
import { EDGE_STORES } from "./broken-edges.js";
import { REFUSAL_STORES } from "./broken-refusals.js";
import { RACING_STORES } from "./broken/racing-stores.js";
import { countingWhatIsLeft, seeingAllSources, seeingDeliveries, seeingForEver } from "./broken/seeing.js";
import { overOneDisk, type Storage } from "./broken/storage.js";

export interface BrokenStore {
  readonly name: string;
  /** The promise that it breaks first of all. */
  readonly breaks: string;
  /** A new storage; the returned function opens it. */
  readonly create: () => Storage;
  readonly supports?: Partial<DeliveryStoreSupport>;
  /** No case finds it: the model does, within the number of runs that the guide names. */
  readonly isForModel?: true;
  /** The model is not run on it: its alphabet has nothing of what the store gets wrong, and it takes most of the time. */
  readonly skipsModel?: true;
}

const ALONE = { sharing: { reason: "each store has separate memory" } } as const;

export const BROKEN_STORES: readonly BrokenStore[] = [
  {
    name: "acks before commit",
    breaks: "a final state survives a crash right after its settlement",
    supports: ALONE,
    create: createLaggingStore,
  },
  {
    name: "loses on restart",
    breaks: "an accepted message survives a crash right after the commit, byte for byte",
    supports: ALONE,
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
    breaks: "a claim with a number of retries hands out that many retries; the rest were never tried",
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
    name: "forgets which kind has waited for a share",
    breaks: "each kind gets its share, whichever is due first",
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
    name: "leaves the rest of a share unused",
    breaks: "if fewer of one kind are due than its share, the other kind gets the rest",
    create: () => overOneDisk(keepingShares),
  },
  {
    name: "treats a claimed delivery as a tried one",
    breaks: "a delivery that was claimed and never tried counts as never tried, also after its lease",
    create: () => overOneDisk(triedByClaim),
  },
  {
    name: "divides a claim without a number of retries",
    breaks: "a claim without a number of retries hands out what is due first",
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
    breaks: "a body comes back byte for byte, from a claim and from a look-up",
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
    breaks: "each attempt of a round is recorded with all its fields",
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
    breaks: "message ids are remembered after a crash",
    create: createForgetfulStore,
  },
  {
    name: "does not see messages that were filtered everywhere",
    breaks: "a message that was filtered everywhere is seen with no delivery",
    create: () => overOneDisk(seeingDeliveries),
  },
  {
    name: "counts the current deliveries of a seen message",
    breaks: "duplicates, replays and sweeps do not change what is seen",
    create: () => overOneDisk(countingWhatIsLeft),
  },
  {
    name: "sees ids that are more than a day old",
    breaks: "a message id is seen for as long as it makes duplicates, and no longer",
    create: () => overOneDisk(seeingForEver),
  },
  {
    name: "sees an id of any source",
    breaks: "an id is seen in the requested source, or in each source that has it",
    create: () => overOneDisk(seeingAllSources),
  },
  {
    name: "ends deliveries without the detail of the request",
    breaks: "an ended delivery gets the detail of the request, if that has one",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        end: ({ lane, reason, limit, firstAttemptBefore, acceptedBefore }, now) =>
          store.end({ lane, reason, limit, ...defined({ firstAttemptBefore, acceptedBefore }) }, now),
      })),
  },
  {
    name: "counters drift",
    breaks: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    create: () => overOneDisk(driftingCounters({ byClaims: new Map(), held: new Set() })),
  },
  {
    name: "commits in slices",
    breaks: "a commit that does not fit rejects with `full`, and nothing of it is stored",
    create: () => overOneDisk((store) => ({ ...store, commit: committingInSlices(store) })),
  },
  {
    name: "stores only the first part of a large write",
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
    breaks: "settlements are stored although there is no room for messages",
    create: createStubbornStorage,
  },
  {
    name: "answers in another order",
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
    name: "treats a late attempt as a part of the settlement",
    breaks: "a settlement and a late attempt of one delivery go into one commit",
    create: () => overOneDisk((store) => ({ ...store, commit: losingLateAttempts(store) })),
  },
  {
    name: "claims handed-off deliveries",
    breaks: "no claim hands out a delivery that a commit stores as claimed, at the same time or later",
    create: () =>
      overOneDisk((store) => ({ ...store, commit: (changes, now) => store.commit(unhanded(changes, now), now) })),
  },
  {
    name: "never claims handed-off deliveries again",
    breaks: "a delivery stored as claimed can be claimed again once its lease has ended, and not before",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        commit: (changes, now) => store.commit({ ...changes, lease: { ...changes.lease, leaseMs: A_YEAR_MS } }, now),
      })),
  },
  {
    name: "treats handed-off deliveries as delivered after a crash",
    breaks: "a delivery stored as claimed survives a crash: its token still settles it, and its lease ends on time",
    create: createTrustingStore,
  },
  {
    name: "counts what it brings forward",
    breaks: "bringing forward changes no counter, and finished deliveries stay as they are",
    create: () => overOneDisk(countingPulls({ pulled: 0 })),
  },
  {
    name: "counts duplicates as received",
    breaks: "a stored message counts as received once, for any number of destinations; duplicates and replays do not",
    create: () => overOneDisk(receivingRepeats),
  },
  {
    name: "remembers the ids of suppressed messages",
    breaks: "nothing of a suppressed user's message is stored, not even its id, and it is counted",
    create: () => overOneDisk(rememberingSuppressed(new Set())),
  },
  {
    name: "suppresses in memory",
    breaks: "a suppression survives a crash, and so does its end",
    create: () => overOneDisk(suppressingInMemory),
  },
  {
    name: "numbers requests anew in each process",
    breaks: "each request has a higher number than all before, in each look-up and list, after a crash too",
    create: () => overOneDisk(numberingAnew),
  },
  {
    name: "stores messages made before a request",
    breaks: "a message whose `asOf` is older than the newest request is not stored, and not counted",
    create: () => overOneDisk(storingTheOutdated),
  },
  {
    name: "does not purge audience messages",
    breaks: "a user's audience messages are purged, even by a request that is limited to sources",
    create: () => overOneDisk(sparingAudiences),
  },
  {
    name: "suppresses all deleted users",
    breaks: "messages of a user who is deleted, but not suppressed, are accepted",
    create: () => overOneDisk(suppressingAll),
  },
  {
    name: "opens a request only when it purges",
    breaks: "a user's waiting deliveries are not handed out once a request is stored, but dead as purged",
    create: () => overOneDisk(openingLate),
  },
  {
    name: "hides that a settlement was purged",
    breaks: "a user's claimed delivery may be delivered; settled in any other way it is dead as purged",
    create: () => overOneDisk(hidingPurged),
  },
  {
    name: "purges later messages too",
    breaks: "a message stored after the request is not purged",
    create: () => overOneDisk(purgingAnew),
  },
  {
    name: "purges one slice",
    breaks: "a purge runs in slices, and continues after a crash",
    create: () => overOneDisk(purgingOneSlice),
  },
  {
    name: "keeps what receivers answered",
    breaks: "a purge removes bodies and excerpts of answers, and keeps the rest",
    create: () => overOneDisk(keepingAnswers(new Map())),
  },
  {
    name: "counts notices beyond the users of a request",
    breaks: "the progress of the notices is stored, never goes back, and ends with all users",
    create: () => overOneDisk(countingBeyondUsers),
  },
  {
    name: "lets the progress of notices go back",
    breaks: "the progress of the notices is stored, never goes back, and ends with all users",
    create: () => overOneDisk(followingTheLast(new Map())),
  },
  {
    name: "ends unfinished requests",
    breaks: "a request ends once it is purged and notified, and its user ids are removed",
    create: () => overOneDisk(endingAll),
  },
  {
    name: "takes only suppressions for newer requests",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(agedBySuppressions({ suppression: 0 })),
  },
  {
    name: "stores the latter of two progresses in a commit",
    breaks: "the progress of the notices is stored, never goes back, and ends with all users",
    create: () => overOneDisk(followingTheLatter),
  },
  {
    name: "loses its place among suppressed users",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(losingTheCursor),
  },
  {
    name: "loses its place among unfinished requests",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(losingTheFinished),
  },
  {
    name: "ends the suppression of one user of several",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(sparingOthers(new Map())),
  },
  {
    name: "counts a suppressed message for each of its users",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(countingUsers),
  },
  {
    name: "opens a finished request again",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(openingFinishedAgain),
  },
  {
    name: "forgets the users of other requests",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(forgettingEverywhere(new Map())),
  },
  {
    name: "knows suppressions by process",
    breaks: "up to three processes on one storage all answer as the model does",
    isForModel: true,
    create: () => overOneDisk(suppressingByProcess(new Set())),
  },
  {
    name: "writes the detail of `end` to purged deliveries",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(detailingPurged(new Map())),
  },
  {
    name: "drops the detail of a purged settlement",
    breaks: "with users who are deleted and suppressed, a store answers as the model does",
    isForModel: true,
    create: () => overOneDisk(droppingDetails(new Map())),
  },
  {
    name: "keeps answers that come after a request is finished",
    breaks: "a delivery that is settled after the request for its user has ended keeps no answers",
    create: () => overOneDisk(keepingLateAnswers()),
  },
  {
    name: "replays before it settles",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(settlingAfterReplays),
  },
  {
    name: "loses the tally of a commit that overlaps another",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(losingTallies()),
  },
  {
    name: "lets other commands into a commit",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(commitsInterrupted),
  },
  {
    name: "stores half of a commit that is under way at a crash",
    breaks: "after crashes, a store still answers as the model does",
    isForModel: true,
    create: createHalfStorage,
  },
  {
    name: "sweeps bodies that a replay of a replay needs",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(sweepingBodiesOfReplays()),
  },
  {
    name: "holds tokens by lane",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(tokensByLane()),
  },
  {
    name: "rejects with what is no error",
    breaks: "a store answers any commands, in any order, as the model does",
    isForModel: true,
    create: () => overOneDisk(rejectingWithObjects),
  },
  ...[EDGE_STORES, LEFT_OVER_STORES, LANE_STORES, PART_STORES, LIST_STORES, REFUSAL_STORES].flat(),
  ...RACING_STORES,
];

const A_YEAR_MS = 31_536_000_000;
