// Stores that fail only where two rare things follow each other.

import {
  forgettingOriginals,
  indexingOtherUsers,
  losingAttemptsOfSiblings,
  movingThePurged,
  renewingByLateAttempts,
  renewingByPurges,
  renewingByReplays,
  renewingBySiblings,
} from "./broken/afterwards.js";
import {
  dueSinceAcceptance,
  keepingBodiesForADay,
  keepingExcerpts,
  keepingRowsForAnHour,
  lookingForTheCursor,
  numberingOnFromWhatIsLeft,
  recordingOneLateAttempt,
  sortingByCollation,
} from "./broken/rare-pairs.js";
import { overOneDisk } from "./broken/storage.js";
import type { BrokenStore } from "./broken-stores.js";

const FINISHED_FOR_GOOD =
  "a late attempt, or a replay, does not change the time at which a delivery finished: it is swept as early";
const PURGED_FOR_ALL =
  "a purged delivery is found by none of its users, takes late attempts, and says which delivery it sends again";

export const RARE_PAIR_STORES: readonly BrokenStore[] = [
  {
    name: "numbers deliveries on from what a sweep has left, after a restart",
    breaks:
      "after a sweep of the newest deliveries and a crash, none of their ids is used again, and no counter is lower",
    create: () => overOneDisk(numberingOnFromWhatIsLeft()),
  },
  {
    name: "keeps bodies for a day",
    breaks: "a delivery that waits for more than a day is claimed with its body",
    create: () => overOneDisk(keepingBodiesForADay),
  },
  {
    name: "keeps rows of the board for an hour",
    breaks: "a row of the board that is not written for more than a day is still told",
    create: () => overOneDisk(keepingRowsForAnHour()),
    supports: { board: true as const },
  },
  {
    name: "shows a delivery whose claim has lapsed as due since it was accepted",
    breaks: "a delivery that is claimed after another claim of it has lapsed was due when that lease ended",
    create: () => overOneDisk(dueSinceAcceptance),
  },
  {
    name: "keeps the excerpt of an endpoint that answers with none",
    breaks: "an endpoint that answers with a body and then with none has no excerpt",
    create: () => overOneDisk(keepingExcerpts),
  },
  {
    name: "records one late attempt of each delivery",
    breaks: "late attempts of one delivery in commits that follow each other are all recorded",
    create: () => overOneDisk(recordingOneLateAttempt()),
  },
  {
    name: "takes a late attempt for the end of its delivery",
    breaks: FINISHED_FOR_GOOD,
    create: () => overOneDisk(renewingByLateAttempts),
  },
  {
    name: "takes a replay for the end of the delivery that it sends again",
    breaks: FINISHED_FOR_GOOD,
    create: () => overOneDisk(renewingByReplays),
  },
  {
    name: "takes the end of the last delivery of a message for that of each",
    breaks: "a sibling that finishes later does not change the time at which a delivery finished: it is swept as early",
    create: () => overOneDisk(renewingBySiblings()),
  },
  {
    name: "takes a purge for the end of each delivery that it purges",
    breaks: "a purge does not change the time at which a delivery finished: it is swept as early",
    create: () => overOneDisk(renewingByPurges),
  },
  {
    name: "forgets which delivery a replay sends again, once that is swept",
    breaks: "a replay says which delivery it sends again, also once that was swept",
    create: () => overOneDisk(forgettingOriginals((_, original) => original === undefined)),
  },
  {
    name: "finds purged deliveries by the other users of their message",
    breaks: PURGED_FOR_ALL,
    create: () => overOneDisk(indexingOtherUsers),
  },
  {
    name: "says that a purged delivery is gone when a late attempt comes",
    breaks: PURGED_FOR_ALL,
    create: () => overOneDisk(movingThePurged),
  },
  {
    name: "forgets which delivery a replay sends again, with a purge",
    breaks: PURGED_FOR_ALL,
    create: () => overOneDisk(forgettingOriginals(({ body }) => body === undefined)),
  },
  {
    name: "removes the attempts of all deliveries of a message with one of them",
    breaks: "a sibling that finishes later does not change the time at which a delivery finished: it is swept as early",
    create: () => overOneDisk(losingAttemptsOfSiblings()),
  },
  {
    name: "sorts suppressed users by a collation",
    breaks: "suppressed users have the same order in pages of any size",
    create: () => overOneDisk(sortingByCollation),
  },
  {
    name: "looks for the cursor of unfinished requests among those that are unfinished now",
    breaks: "a page of unfinished requests goes on behind a request that was finished after the page before",
    create: () => overOneDisk(lookingForTheCursor),
  },
].map((store) => ({ ...store, skipsModel: true as const }));
