// Stores for the promises about claims that were not settled in time. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  countingClaims,
  countingOneLapse,
  forgettingEnded,
  forgettingSettled,
  takingAtTheEnd,
  tellingTakersOnly,
} from "./broken/lapses.js";
import { overOneDisk } from "./broken/storage.js";

const COUNTED =
  "a claim that was not settled is counted when its delivery is claimed again, with both processes and both times";
const HANDED_OFF = "a delivery that was stored as claimed lapses too, and one whose lease is over when it is ended";
const SETTLED =
  "a claim that was settled is not counted, late or released; what was counted stays, and a replay has none of it";

export const LAPSE_STORES: readonly BrokenStore[] = [
  {
    name: "counts one lapse, however many there were",
    breaks: COUNTED,
    create: () => overOneDisk(countingOneLapse),
  },
  {
    name: "tells of a lapse only which process has found it",
    breaks: COUNTED,
    create: () => overOneDisk(tellingTakersOnly),
  },
  {
    name: "takes the end of a lease for the time of the next claim",
    breaks: COUNTED,
    create: () => overOneDisk(takingAtTheEnd),
  },
  {
    name: "counts no lapse of a delivery that is ended",
    breaks: HANDED_OFF,
    create: () => overOneDisk(forgettingEnded),
  },
  {
    name: "forgets the lapses of what is delivered",
    breaks: SETTLED,
    create: () => overOneDisk(forgettingSettled),
  },
  {
    name: "counts each claim after the first as a lapse",
    breaks: SETTLED,
    create: () => overOneDisk(countingClaims),
  },
];
