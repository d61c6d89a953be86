// Stores for the promises about when an endpoint refused a delivery. Each breaks one promise.

import {
  forgettingAfterPurges,
  forgettingOnceClaimed,
  forgettingOncePurged,
  forgettingRefusals,
  keepingEndedRefusals,
  refusingForGood,
  refusingInMemory,
} from "./broken/refusals.js";
import { overOneDisk } from "./broken/storage.js";
import type { BrokenStore } from "./broken-stores.js";

export const REFUSAL_STORES: readonly BrokenStore[] = [
  {
    name: "forgets when an endpoint refused a delivery",
    breaks: "the state of the endpoints is replaced as a whole",
    create: () => overOneDisk(forgettingRefusals),
  },
  {
    name: "takes each refusal for one that is for good",
    breaks: "the state of the endpoints is replaced as a whole",
    create: () => overOneDisk(refusingForGood),
  },
  {
    name: "keeps when an endpoint refused after it has failed",
    breaks: "the state of the endpoints is replaced as a whole",
    create: () => overOneDisk(keepingEndedRefusals()),
  },
  {
    name: "claims without when an endpoint refused",
    breaks: "a claimed delivery carries all that a round needs",
    create: () => overOneDisk(forgettingOnceClaimed),
  },
  {
    name: "keeps in memory when an endpoint refused",
    breaks: "a settlement survives a crash, with its attempts, endpoints and window",
    create: () => overOneDisk(refusingInMemory),
  },
  {
    name: "forgets when an endpoint refused, with a purge",
    breaks: "a purge removes bodies and excerpts of answers, and keeps the rest",
    create: () => overOneDisk(forgettingOncePurged),
  },
  {
    name: "forgets when an endpoint refused, with a settlement after a purge",
    breaks: "a claimed delivery counts no bytes in its lane once it is purged, and keeps no answers",
    create: () => overOneDisk(forgettingAfterPurges),
  },
];
