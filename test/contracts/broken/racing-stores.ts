// The broken stores that only calls at the same time, a fault of the storage, or an end with work out can tell from one that
// works, each with the promise that it breaks first of all.

import type { BrokenStore } from "../broken-stores.js";
import {
  busyAfterWriting,
  countingLostAnswers,
  createDroppingStorage,
  createHastyStorage,
  createJealousStorage,
  endingOneByOne,
  goingOn,
  keepingLostClaims,
  openingAnew,
  readingNothing,
  rejectingAsItsDriver,
  settlingLast,
  stayingOpen,
} from "./faults.js";
import { busyAfterOpening, finishingAnyway, purgingOneByOne, readingNoRequests } from "./failing-requests.js";
import {
  claimingWhatItRead,
  committingInTwo,
  countingInTwoQueries,
  countingWhatItRead,
  endingWhatItRead,
  handingOutWhatItRead,
  pullingWhatItRead,
  replayingWhatItRead,
  seeingOldSnapshots,
  settlingWhatItRead,
  storingForWhomItAsked,
  storingWhatWasNew,
  sweepingWhatItRead,
} from "./races.js";
import { overOneDisk } from "./storage.js";

const ALONE = { sharing: { reason: "each store has separate memory" } } as const;
const HASTY = { faults: { reason: "it writes later, when no caller is left to reject to" } } as const;

export const RACING_STORES: readonly BrokenStore[] = [
  {
    name: "claims what it has read before",
    breaks: "two claims at the same time hand out each delivery once, and keep both limits, between two processes",
    create: claimingWhatItRead,
  },
  {
    name: "stores a message id that was new when it asked",
    breaks:
      "a message id that two commits have at the same time is stored once, and is a duplicate once, between two processes",
    create: storingWhatWasNew,
  },
  {
    name: "settles under a token that was in force when it asked",
    breaks:
      "a settlement at the end of a lease and a claim at the same time: exactly one of both gets the delivery, between two processes",
    create: settlingWhatItRead,
  },
  {
    name: "ends what was waiting when it asked",
    breaks: "ending deliveries and a claim at the same time: none is handed out and ended, between two processes",
    create: endingWhatItRead,
  },
  {
    name: "brings forward what was waiting when it asked",
    breaks: "bringing forward and a claim at the same time: each delivery is handed out once, between two processes",
    create: pullingWhatItRead,
  },
  {
    name: "adds to counters that it has read before",
    breaks: "two commits at the same time are both counted in full, between two processes",
    create: countingWhatItRead,
  },
  {
    name: "reads the counters in two queries",
    breaks: "the counters are those before a commit or those after it, while it is being made, between two processes",
    create: countingInTwoQueries,
  },
  {
    name: "stores settlements in a second transaction",
    breaks:
      "lists, look-ups and lanes show all of a commit or nothing, while it is being made, between two calls of one process",
    create: committingInTwo,
  },
  {
    name: "commits on the snapshot of an earlier commit",
    breaks: "a commit sees the commit that was answered before it, beside a call of another, between two processes",
    create: seeingOldSnapshots,
  },
  {
    name: "sweeps a body that a replay has taken since",
    breaks: "a replay and a sweep at the same time: a replay with its body, or none, between two processes",
    create: sweepingWhatItRead,
  },
  {
    name: "stores messages of users who were not suppressed when it asked",
    breaks:
      "a request and a commit of its user's message at the same time: nothing stays within reach, between two processes",
    create: storingForWhomItAsked,
  },
  {
    name: "hands out a delivery that a request has put out of reach since",
    breaks:
      "a request and a claim of its user's delivery at the same time: it is handed out once, or is dead as purged, between two processes",
    create: handingOutWhatItRead,
  },
  {
    name: "replays a body that it has read before",
    breaks:
      "a request and a replay of its user's delivery at the same time: nothing stays within reach, between two processes",
    create: replayingWhatItRead,
  },
  {
    name: "settles after it replays",
    breaks: "a delivery that a commit settles can be replayed by the same commit, and gets its late attempts",
    create: () => overOneDisk(settlingLast),
  },
  {
    name: "stays open",
    breaks: "after `close` every method rejects as `unavailable`, and a second `close` resolves",
    create: () => overOneDisk(stayingOpen),
  },
  {
    name: "rejects with an error of its driver",
    breaks:
      "a store that is closed while commits are out: each that was answered is there, each other one whole or not at all",
    create: () => overOneDisk(rejectingAsItsDriver),
  },
  {
    name: "drops answered commits when it is closed",
    breaks:
      "a store that is closed while commits are out: each that was answered is there, each other one whole or not at all",
    create: createDroppingStorage,
  },
  {
    name: "cuts off the commits of another process when it is opened",
    breaks:
      "a storage that is opened again while commits are out: each that was answered is there, each other one whole or not at all",
    create: createJealousStorage,
  },
  {
    name: "answers before it has written",
    breaks:
      "after a crash at any access of two commits, each that was answered is there, and each other one whole or not at all",
    supports: { ...ALONE, ...HASTY },
    create: createHastyStorage,
  },
  {
    name: "is busy after it has written",
    breaks:
      "a commit that fails as `busy` or `full` at any access has written nothing, and is stored when it is repeated",
    create: busyAfterWriting,
  },
  {
    name: "counts a commit again whose answer was lost",
    breaks:
      "a commit that fails as `unavailable` is there whole or not at all, and is not counted twice when it is repeated",
    create: countingLostAnswers,
  },
  {
    name: "goes on after a fault that is corrupt",
    breaks: "after a call that fails as `corrupt` all methods reject, and the commit is there whole or not at all",
    create: goingOn,
  },
  {
    name: "shows nothing where it cannot read",
    breaks: "a read that fails rejects: it never answers as if the storage were empty",
    create: readingNothing,
  },
  {
    name: "ends deliveries one by one",
    breaks: "claims, ends, changes of due times and sweeps that fail as `busy` have changed nothing",
    create: endingOneByOne,
  },
  {
    name: "never ends a claim whose answer was lost",
    breaks: "what a claim has taken whose answer was lost is handed out again after its lease",
    create: keepingLostClaims,
  },
  {
    name: "is busy after it has stored a request",
    breaks:
      "a request, a slice of its purge, and its end that fail as `busy` or `full` have changed nothing, and end well when they are repeated",
    create: busyAfterOpening,
  },
  {
    name: "takes the failed end of a request for its end",
    breaks:
      "a request, a slice of its purge, and its end that fail as `busy` or `full` have changed nothing, and end well when they are repeated",
    create: finishingAnyway,
  },
  {
    name: "purges one delivery after the other, each in a separate transaction",
    breaks:
      "a request, a slice of its purge, and its end that fail as `unavailable` are done whole or not at all, and end well when they are repeated",
    create: purgingOneByOne,
  },
  {
    name: "shows no requests where it cannot read",
    breaks: "a read of requests or suppressed users that fails rejects: it never answers as if there were none",
    create: readingNoRequests,
  },
  {
    name: "takes a damaged storage for a new one",
    breaks: "a damaged storage is refused, or fails as corrupt, or has all that was stored",
    create: openingAnew,
  },
];
