// Stores for the promises about reports of lanes. Each breaks one promise.

import {
  countingAllAttempts,
  inheritingAttempts,
  lookingAtTheOldest,
  neverLater,
  passingOverClaims,
  sayingZero,
} from "./broken/first-attempts.js";
import { overOneDisk } from "./broken/storage.js";
import type { BrokenStore } from "./broken-stores.js";

export const LANE_STORES: readonly BrokenStore[] = [
  {
    name: "says that a lane was tried in 1970 if it never was",
    breaks: "a lane of which no delivery was tried reports no first attempt",
    create: () => overOneDisk(sayingZero),
  },
  {
    name: "reports the first attempt of the oldest delivery",
    breaks: "a lane reports the earliest first attempt of its unfinished deliveries, to the millisecond",
    create: () => overOneDisk(lookingAtTheOldest),
  },
  {
    name: "reports the earliest attempt of any round",
    breaks: "further rounds and late attempts do not change the first attempt that a lane reports",
    create: () => overOneDisk(countingAllAttempts),
  },
  {
    name: "reports first attempts of what is finished",
    breaks: "a lane reports the first attempts only of what is unfinished",
    create: () => overOneDisk(neverLater),
  },
  {
    name: "takes a replay for tried, as its original was",
    breaks: "the replay of a delivery that was tried is not tried",
    create: () => overOneDisk(inheritingAttempts),
  },
  {
    name: "reports first attempts of waiting deliveries only",
    breaks: "a delivery that was tried counts as tried while it is claimed, and once its lease has ended",
    create: () => overOneDisk(passingOverClaims),
  },
].map((store) => ({ ...store, skipsModel: true as const }));
