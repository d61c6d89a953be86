// Stores for the promises about lists by several states, by details and by user. Each breaks one promise.

import type { BrokenStore } from "./broken-stores.js";
import {
  listingAllForNone,
  listingAllUsers,
  listingByBeginnings,
  listingFirstUsers,
  listingOneState,
} from "./broken/lists.js";
import { overOneDisk } from "./broken/storage.js";

const SEVERAL = "a list shows what has one of several states, or one of several details, and nothing for none of them";
const USER = "a list by user shows the deliveries of the messages that have this user among theirs";

export const LIST_STORES: readonly BrokenStore[] = [
  { name: "takes no states for all states", breaks: SEVERAL, create: () => overOneDisk(listingAllForNone) },
  { name: "lists by the first of several states", breaks: SEVERAL, create: () => overOneDisk(listingOneState) },
  { name: "lists by the beginning of a detail", breaks: SEVERAL, create: () => overOneDisk(listingByBeginnings) },
  { name: "lists all users", breaks: USER, create: () => overOneDisk(listingAllUsers) },
  {
    name: "lists by the first user of a message",
    breaks: USER,
    create: () => overOneDisk(listingFirstUsers(new Map())),
  },
].map((store) => ({ ...store, skipsModel: true as const }));
