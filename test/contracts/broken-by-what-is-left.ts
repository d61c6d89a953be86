// Stores for the promises about what happened before: limits, replays, requests and claims that are over, and bytes of other
// classes. Each breaks one promise.

import { keepingBuffers } from "./broken/bytes.js";
import {
  claimingByTheLatest,
  countingSuppressions,
  endingAmongTheFirst,
  lookingForReplays,
  outdatedByUnfinished,
  pullingAmongTheFirst,
} from "./broken/by-what-is-left.js";
import { overOneDisk } from "./broken/storage.js";
import type { BrokenStore } from "./broken-stores.js";

export const LEFT_OVER_STORES: readonly BrokenStore[] = [
  {
    name: "keeps Buffers as they are",
    breaks: "a store keeps a copy of given bytes and shows one, whatever their class",
    create: () => overOneDisk(keepingBuffers(new Map())),
  },
  {
    name: "ends among the first of the lane",
    breaks: "deliveries that an end leaves as they are use up none of its limit, whichever were stored first",
    create: () => overOneDisk(endingAmongTheFirst),
  },
  {
    name: "brings forward among the first of the lane",
    breaks: "deliveries that are not brought forward use up none of the limit, whichever were stored first",
    create: () => overOneDisk(pullingAmongTheFirst),
  },
  {
    name: "looks for the replay",
    breaks: "a delivery has been replayed for good, also once its replay was swept",
    create: () => overOneDisk(lookingForReplays),
  },
  {
    name: "counts suppressions",
    breaks: "one request ends the suppression of a user whom several requests have suppressed",
    create: () => overOneDisk(countingSuppressions(new Map())),
  },
  {
    name: "compares with unfinished requests",
    breaks: "a finished request makes messages outdated as an unfinished one does",
    create: () => overOneDisk(outdatedByUnfinished),
  },
  {
    name: "claims by its latest claim",
    breaks: "after the clock was set back a delivery is not due only because an earlier claim had a later `now`",
    create: () => overOneDisk(claimingByTheLatest()),
  },
].map((store) => ({ ...store, skipsModel: true as const }));
