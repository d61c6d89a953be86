// Stores for the promises of a store with a clock. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  beatingByCallers,
  claimingByCallers,
  committingByCallers,
  dueByEither,
  endedByCallers,
  endingByCallers,
  finishedByCallers,
  purgedByCallers,
  replayingByCallers,
  requestedByCallers,
  seeingByCallers,
  settlingByCallers,
  standingStill,
} from "./broken/clocks.js";

export const CLOCK_STORES: readonly BrokenStore[] = [
  {
    name: "tells the time at which it was opened",
    breaks: "a store with a clock tells the time, which goes on",
    create: standingStill,
  },
  {
    name: "gives the leases of a commit by the clock of its caller",
    breaks: "by the clock of a store a lease of a commit lasts its length, however wrong the clock of its caller is",
    create: committingByCallers,
  },
  {
    name: "gives the leases of a claim by the clock of its caller",
    breaks: "by the clock of a store a lease of a claim lasts its length, however wrong the clock of its caller is",
    create: claimingByCallers,
  },
  {
    name: "hands out what is due by its clock or by that of its caller",
    breaks: "by the clock of a store a delivery is due on time, however wrong the clocks of callers are",
    create: dueByEither,
  },
  {
    name: "forgets messages by the clock of its caller",
    breaks: "by the clock of a store a message is a duplicate for a day, however far ahead the clock of the caller is",
    create: seeingByCallers,
  },
  {
    name: "ends leases by the clock of its caller",
    breaks: "by the clock of a store what is under a lease is not ended, however far ahead the clock of the caller is",
    create: endingByCallers,
  },
  {
    name: "ends settled deliveries by the clock of its caller",
    breaks: "by the clock of a store a delivery ends when it is settled, however wrong the clock of its caller is",
    create: settlingByCallers,
  },
  {
    name: "accepts replays by the clock of its caller",
    breaks: "by the clock of a store a replay is accepted when it is stored, however wrong the clock of its caller is",
    create: replayingByCallers,
  },
  {
    name: "gives what it ends the time of its caller",
    breaks:
      "by the clock of a store a delivery that is ended ends at that time, however wrong the clock of its caller is",
    create: endedByCallers,
  },
  {
    name: "gives requests about users the time of its caller",
    breaks:
      "by the clock of a store a request about users was made when it was stored, however wrong the clock of its caller is",
    create: requestedByCallers,
  },
  {
    name: "gives what it purges the time of its caller",
    breaks:
      "by the clock of a store a delivery that is purged ends when it is purged, however wrong the clock of its caller is",
    create: purgedByCallers,
  },
  {
    name: "finishes requests about users by the clock of its caller",
    breaks:
      "by the clock of a store a request about users is finished at that time, however wrong the clock of its caller is",
    create: finishedByCallers,
  },
  {
    name: "lets processes live by the clocks of callers",
    breaks: "by the clock of a store a process lives for its time, however wrong the clocks of callers are",
    create: beatingByCallers,
    supports: { board: true as const },
  },
].map((store) => ({ ...store, skipsModel: true as const }));
