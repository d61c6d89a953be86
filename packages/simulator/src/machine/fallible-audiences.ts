// A store of audiences whose operations may fail, and which reads short pages.

import type { AudienceStore } from "@postrider/core";
import type { Perform } from "./perform.js";

/** How many members a read answers at most: few, so that there are edges of pages in small sets. */
const PAGE_MEMBERS = 7;

const STEPS = ["audience-asked", "audience-done"] as const;

/** The same store, each of whose operations is performed by `perform`. */
export function createFallibleAudiences(store: AudienceStore, perform: Perform): AudienceStore {
  return {
    create: (record) => perform({ access: "grows", work: () => store.create(record), steps: STEPS }),
    find: (key) => perform({ access: "reads", work: () => store.find(key) }),
    list: () => perform({ access: "reads", work: () => store.list() }),
    replace: (record) => perform({ access: "writes", work: () => store.replace(record), steps: STEPS }),
    append: (set, members) => perform({ access: "grows", work: () => store.append(set, members), steps: STEPS }),
    read: (set, after) =>
      perform({ access: "reads", work: async () => (await store.read(set, after)).slice(0, PAGE_MEMBERS) }),
    sets: (prefix) => perform({ access: "reads", work: () => store.sets(prefix) }),
    drop: (set) => perform({ access: "writes", work: () => store.drop(set), steps: STEPS }),
    erase: (set, userIds) => perform({ access: "writes", work: () => store.erase(set, userIds), steps: STEPS }),
    scrub: () => perform({ access: "writes", work: () => store.scrub() }),
    close: () => store.close(),
  };
}
