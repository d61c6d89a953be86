// Stores for the promises about replay jobs. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  bringingBack,
  busyAfterReplacing,
  cuttingSteps,
  foldingJobs,
  keepingJobsInMemory,
  listingAll,
  listingOldestFirst,
  listingSome,
  losingSteps,
  overwritingJobs,
  readingNoJobs,
  replacingInTwoSteps,
  trustingRevisions,
} from "./broken/replay-jobs.js";
import { overOneDisk } from "./broken/storage.js";

const KEPT = "a replay job is found and listed as it was given, also after a crash, until it is removed";
const REPLACED = "a replay job is replaced only by the revision that follows its own, and then whole";
const LISTED = "replay jobs are listed with the latest first, all of them or those that run";
const RACE =
  "two changes of one revision of a replay job at the same time: one takes effect, and only its caller hears so, between two processes";

export const REPLAY_JOB_STORES: readonly BrokenStore[] = [
  { name: "keeps replay jobs in memory", breaks: KEPT, create: () => overOneDisk(keepingJobsInMemory) },
  { name: "keeps 255 deliveries of a step", breaks: KEPT, create: () => overOneDisk(cuttingSteps) },
  {
    name: "writes a new replay job over an old one",
    breaks: "a second replay job of an id is refused, and changes nothing",
    create: () => overOneDisk(overwritingJobs),
  },
  { name: "replaces replay jobs of any revision", breaks: REPLACED, create: () => overOneDisk(trustingRevisions) },
  { name: "loses the step of a replay job", breaks: REPLACED, create: () => overOneDisk(losingSteps) },
  {
    name: "brings a removed replay job back",
    breaks: "a replay job that is not there is not replaced, and is not there afterwards",
    create: () => overOneDisk(bringingBack),
  },
  { name: "lists the oldest replay job first", breaks: LISTED, create: () => overOneDisk(listingOldestFirst) },
  { name: "lists ended replay jobs as running", breaks: LISTED, create: () => overOneDisk(listingAll) },
  { name: "lists 50 replay jobs", breaks: LISTED, create: () => overOneDisk(listingSome) },
  {
    name: "compares replay jobs without case",
    breaks: "a replay job is distinct from all that look alike",
    create: () => overOneDisk(foldingJobs),
  },
  {
    name: "says that there are no replay jobs when it cannot read",
    breaks: "a read of replay jobs that fails rejects: it never answers as if there were none",
    create: readingNoJobs,
  },
  {
    name: "is busy after it has replaced a replay job",
    breaks: "a change of a replay job that fails as `busy` has changed nothing, and takes effect when it is repeated",
    create: busyAfterReplacing,
  },
  { name: "replaces a replay job in two steps", breaks: RACE, create: replacingInTwoSteps },
].map((store) => ({ ...store, skipsModel: true as const }));
