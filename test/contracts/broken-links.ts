// Stores for the promises about the `traceparent` of a message. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import { linkingFirstRounds, linkingInMemory, linkingNoReplays, linkingToEarlier } from "./broken/links.js";
import { overOneDisk } from "./broken/storage.js";

export const LINK_STORES: readonly BrokenStore[] = [
  {
    name: "shows the `traceparent` of another message where there is none",
    breaks: "a `traceparent` comes back with each delivery of its message, and a message without one has none",
    create: () => overOneDisk(linkingToEarlier),
  },
  {
    name: "forgets the `traceparent` of a message after the first round",
    breaks:
      "a `traceparent` comes back in each round of a delivery, and after the lease of one that was stored as claimed",
    create: () => overOneDisk(linkingFirstRounds),
  },
  {
    name: "keeps no `traceparent` for replays",
    breaks: "a replay has the `traceparent` of its message, and so has the replay of a replay",
    create: () => overOneDisk(linkingNoReplays),
  },
  {
    name: "keeps each `traceparent` in memory",
    breaks: "a `traceparent` survives a crash",
    create: () => overOneDisk(linkingInMemory),
  },
].map((store) => ({ ...store, skipsModel: true as const }));
