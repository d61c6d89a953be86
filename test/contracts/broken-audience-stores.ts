// Audience stores, each broken in one way. The contract suite must catch each of them, and each of its promises is broken
// by some of them.

import type { AudienceStore, Member } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import { aliasing, comparingNothing, hidingWhatIsDropped, lookingThenWriting } from "./broken/audiences.js";
import {
  erasingOnOnePage,
  hidingWhomItErased,
  keepingEmptySets,
  keepingPlaces,
  losingValues,
  throughBytes,
} from "./broken/erasing.js";
import { goingOnAtThePageAfter, hidingNoName, knowingOnlyMembers, throughUtf8 } from "./broken/member-sets.js";

export interface AudienceStorage {
  readonly open: () => Promise<AudienceStore>;
  readonly openCramped: () => Promise<AudienceStore>;
}

export interface BrokenAudienceStore {
  readonly name: string;
  /** The promise that it breaks first of all. */
  readonly breaks: string;
  /** A new storage; the returned function opens it. */
  readonly create: () => AudienceStorage;
}

/** A memory store with a defect, on one disk that outlives it. */
export function overOneDisk(breakIt: (store: AudienceStore) => AudienceStore): AudienceStorage {
  const disk = createMemoryDisk();
  const bounds = { maxMembers: 1_500 };
  return {
    open: () => Promise.resolve(breakIt(createMemoryAudienceStore({ disk }))),
    openCramped: () => Promise.resolve(breakIt(createMemoryAudienceStore({ disk, bounds }))),
  };
}

export const BROKEN_AUDIENCE_STORES: readonly BrokenAudienceStore[] = [
  {
    name: "forgets how far a sync is",
    breaks: "an audience is found as it was created, with all that it holds",
    create: () =>
      overOneDisk((store) => ({ ...store, create: (record) => store.create({ ...record, running: null }) })),
  },
  {
    name: "takes a key twice",
    breaks: "a key is taken once, by the first creation",
    create: () => overOneDisk((store) => ({ ...store, create: (record) => store.create(record).then(() => true) })),
  },
  {
    name: "lists in dictionary order",
    breaks: "all audiences are listed, in the order of the code units of their keys",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        list: async () => (await store.list()).toSorted((one, other) => one.key.localeCompare(other.key)),
      })),
  },
  {
    name: "compares no revisions",
    breaks: "a record replaces the one of the revision before, and no other",
    create: () => overOneDisk((store) => ({ ...store, replace: comparingNothing(store) })),
  },
  {
    name: "replaces a missing audience",
    breaks: "an audience that does not exist is not replaced",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        replace: async (record) => (await store.replace(record)) || store.create(record),
      })),
  },
  {
    name: "reads, then writes, without a lock",
    breaks: "of two replacements of the same revision, one is refused",
    create: () => overOneDisk((store) => ({ ...store, replace: lookingThenWriting(store) })),
  },
  {
    name: "hands out its own records",
    breaks: "a record changed by its caller stays as it was stored",
    create: () => overOneDisk(aliasing),
  },
  {
    name: "starts a set again with each append",
    breaks: "members that are appended, at once or in parts, are read in the same order",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: async (set, members) => {
          while (!(await store.drop(set))) continue;
          await store.append(set, members);
        },
      })),
  },
  {
    name: "stores only the first part of a large write",
    breaks: "50,000 members are appended whole, and read to the end",
    create: () =>
      overOneDisk((store) => ({ ...store, append: (set, members) => store.append(set, members.slice(0, 9_999)) })),
  },
  {
    name: "passes ids through UTF-8",
    breaks: "any text is a user id, and comes back as it was",
    create: () => overOneDisk((store) => ({ ...store, append: throughUtf8(store) })),
  },
  {
    name: "takes an empty value for none",
    breaks: "a value comes back as it was; a member without one has none",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: (set, members) =>
          store.append(
            set,
            members.map((member): Member => (member.value === "" ? { userId: member.userId } : member)),
          ),
      })),
  },
  {
    name: "ignores the case of letters",
    breaks: "sets with any names are separate",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: (set, members) => store.append(set.toLowerCase(), members),
        read: (set, after) => store.read(set.toLowerCase(), after),
      })),
  },
  {
    name: "silently drops members that are out of order",
    breaks:
      "an append of members that do not come after all members of the set is rejected, and the set stays as it was",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: (set, members) => store.append(set, members).catch(() => undefined),
      })),
  },
  {
    name: "keeps the members of its callers",
    breaks: "members changed by their caller stay as they were stored",
    create: () => overOneDisk(aliasing),
  },
  {
    name: "appends in slices",
    breaks: "an append that does not fit rejects with `full` and stores nothing, and the set can still be read",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: async (set, members) => {
          for (let at = 0; at < members.length; at += 1_000) await store.append(set, members.slice(at, at + 1_000));
        },
      })),
  },
  {
    name: "has a set before its first member",
    breaks: "a set that was never written has no members, and no name",
    create: () => overOneDisk(hidingNoName),
  },
  {
    name: "continues only after members",
    breaks: "reading continues after any text, whether it is a member or not",
    create: () => overOneDisk((store) => ({ ...store, read: knowingOnlyMembers(store) })),
  },
  {
    name: "continues at the page after",
    breaks: "reading continues from the middle of a large set",
    create: () => overOneDisk((store) => ({ ...store, read: goingOnAtThePageAfter(store) })),
  },
  {
    name: "treats characters in names as wildcards",
    breaks: "sets are found by the beginning of their names, in order",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        sets: async (prefix) => {
          const pattern = new RegExp(`^${prefix.replaceAll("%", ".*").replaceAll("_", ".")}`, "s");
          return (await store.sets("")).filter((name) => pattern.test(name));
        },
      })),
  },
  {
    name: "drops all that begins with a name",
    breaks: "a dropped set is gone, and other sets are not",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        drop: async (set) => {
          const answers = await Promise.all((await store.sets(set)).map((name) => store.drop(name)));
          return answers.every((isGone) => isGone);
        },
      })),
  },
  {
    name: "reports a set as gone too early",
    breaks: "the rest of a set between two parts of its drop is still in order",
    create: () => overOneDisk((store) => ({ ...store, drop: (set) => store.drop(set).then(() => true) })),
  },
  {
    name: "never finishes dropping a missing set",
    breaks: "dropping a set that does not exist succeeds",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        drop: async (set) => (await store.sets(set)).includes(set) && store.drop(set),
      })),
  },
  {
    name: "never frees a name",
    breaks: "a name is free again once its set is dropped",
    create: () => {
      const dropped = new Set<string>();
      return overOneDisk((store) => ({
        ...store,
        append: (set, members) =>
          dropped.has(set) ? Promise.reject(new Error("used up")) : store.append(set, members),
        drop: (set) => store.drop(dropped.add(set).has(set) ? set : ""),
      }));
    },
  },
  {
    name: "erases on one page",
    breaks: "erased users are removed from their set, at any position, and no other users are",
    create: () => overOneDisk((store) => ({ ...store, erase: erasingOnOnePage(store) })),
  },
  {
    name: "counts all named users as erased",
    breaks: "erasing returns how many of the users were in the set, and ignores the others",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        erase: (set, userIds) => store.erase(set, userIds).then(() => userIds.length),
      })),
  },
  {
    name: "keeps the name of a set whose members were erased",
    breaks: "a set that loses its last member is gone, and its name is free",
    create: () => overOneDisk(keepingEmptySets),
  },
  {
    name: "keeps the places of those who were erased",
    breaks: "reading and appending continue after users were erased",
    create: () => overOneDisk(keepingPlaces),
  },
  {
    name: "loses the values of a set in which it erases",
    breaks: "values stay with their users when others are erased",
    create: () => overOneDisk((store) => ({ ...store, erase: losingValues(store) })),
  },
  {
    name: "erases through UTF-8",
    breaks: "any text is erased exactly as it is",
    create: () =>
      overOneDisk((store) => ({ ...store, erase: (set, userIds) => store.erase(set, userIds.map(throughBytes)) })),
  },
  {
    name: "keeps erasures in the memory of the process",
    breaks: "erased users stay erased after a crash",
    create: () => overOneDisk(hidingWhomItErased),
  },
  {
    name: "is never scrubbed",
    breaks: "a store that no other process has open is scrubbed, and keeps its contents",
    create: () => overOneDisk((store) => ({ ...store, scrub: () => Promise.resolve(false) })),
  },
  {
    name: "loses on restart",
    breaks: "members survive a crash right after their append, and more can be added",
    create: () => {
      const open = () => Promise.resolve(createMemoryAudienceStore({ disk: createMemoryDisk() }));
      return { open, openCramped: open };
    },
  },
  {
    name: "drops only sets in its memory",
    breaks: "a dropped set stays dropped after a crash, and an interrupted drop can be continued",
    create: () => overOneDisk(hidingWhatIsDropped),
  },
];
