// Stores that fail only where two rare things follow each other.

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
