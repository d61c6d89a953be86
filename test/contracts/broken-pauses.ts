// Stores for the promises about the pauses of operators. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  busyAfterResuming,
  foldingPausedLanes,
  holdingPausedLanes,
  pausingAnew,
  pausingBySeconds,
  pausingInMemory,
  readingNoPauses,
  repeatingTheLast,
  startingOver,
} from "./broken/pauses.js";
import { overOneDisk } from "./broken/storage.js";

const BUSY = "a pause or its end that fails as `busy` has changed nothing, and takes effect when it is repeated";
const PAGES = "paused lanes come in pages of any size, each once, also if the lane before a page is resumed";

export const PAUSE_STORES: readonly BrokenStore[] = [
  {
    name: "keeps the pauses in memory",
    breaks: "a lane that was paused is listed with its instant, also after a crash, until it is resumed",
    create: () => overOneDisk(pausingInMemory),
  },
  {
    name: "takes a second pause for the first",
    breaks: "a lane that is paused twice is paused since the first time, and one resumed twice is not paused",
    create: () => overOneDisk(pausingAnew),
  },
  {
    name: "pauses lanes without regard to case",
    breaks: "a paused lane is distinct from all that look alike",
    create: () => overOneDisk(foldingPausedLanes),
  },
  {
    name: "starts over with the paused lanes when the lane before is resumed",
    breaks: PAGES,
    create: () => overOneDisk(startingOver),
  },
  {
    name: "begins a page of paused lanes with the last of the page before",
    breaks: PAGES,
    create: () => overOneDisk(repeatingTheLast),
  },
  {
    name: "keeps the instants of pauses as seconds",
    breaks: "a pause is kept to the millisecond",
    create: () => overOneDisk(pausingBySeconds),
  },
  {
    name: "hands out nothing of a paused lane",
    breaks: "a paused lane is claimed, counted and ended like any other: only the relay leaves it alone",
    create: () => overOneDisk(holdingPausedLanes),
  },
  {
    name: "says that no lane is paused when it cannot read",
    breaks: "a list of paused lanes that fails rejects: it never answers as if there were none",
    create: readingNoPauses,
  },
  { name: "is busy after it has ended a pause", breaks: BUSY, create: busyAfterResuming },
].map((store) => ({ ...store, skipsModel: true as const }));
