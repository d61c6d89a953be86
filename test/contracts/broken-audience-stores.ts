// Audience stores, each broken in one way. The contract suite must catch each of them, and each of its promises is broken
// by some of them.

import type { AudienceStore, Member } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import type { AudienceStoreSupport, StorageGate } from "@postrider/testkit/contracts";
import { aliasing, hidingWhatIsDropped } from "./broken/audiences.js";
import {
  erasingOnOnePage,
  hidingWhomItErased,
  keepingEmptySets,
  keepingPlaces,
  losingValues,
  throughBytes,
} from "./broken/erasing.js";
import { overGatedAudiences } from "./broken/gated-audiences.js";
import { accessThrough, OPEN_GATE, recordsBehindGate } from "./broken/gated-disk.js";
import { GATED_RECORDS, PLAIN_RECORDS } from "./broken-records.js";
import type { BreakRecords } from "./broken/records.js";
import {
  appendingInHalves,
  appendingToWhatItRead,
  busyAfterAppending,
  createHastyAudiences,
  droppingWhatWasEmpty,
  erasingFromWhatItRead,
  goingOnWithMembers,
  readingNoMembers,
} from "./broken/racing-audiences.js";
import {
  findingByPattern,
  goingOnAtThePageAfter,
  hidingNoName,
  knowingOnlyMembers,
  throughUtf8,
} from "./broken/member-sets.js";

export interface AudienceStorage {
  readonly open: () => Promise<AudienceStore>;
  readonly openCramped?: () => Promise<AudienceStore>;
  /** The same through the gate of the suite. */
  readonly openGated?: (gate: StorageGate) => Promise<AudienceStore>;
}

export interface BrokenAudienceStore {
  readonly name: string;
  /** The promise that it breaks first of all. */
  readonly breaks: string;
  /** A new storage; the returned function opens it. */
  readonly create: () => AudienceStorage;
  /** In place of what most support. */
  readonly supports?: Partial<AudienceStoreSupport>;
}

const ALONE = { sharing: { reason: "each has separate memory" } } as const;
const HASTY = { faults: { reason: "it writes later, when no caller is left to reject to" } } as const;

/** A memory store with a defect, on one disk that outlives it. */
export function overOneDisk(
  breakIt: (store: AudienceStore) => AudienceStore,
  disk = createMemoryDisk(),
): AudienceStorage {
  const bounds = { maxMembers: 1_500 };
  return {
    open: () => Promise.resolve(breakIt(createMemoryAudienceStore({ disk }))),
    openCramped: () => Promise.resolve(breakIt(createMemoryAudienceStore({ disk, bounds }))),
  };
}

export const BROKEN_AUDIENCE_STORES: readonly BrokenAudienceStore[] = [
  ...PLAIN_RECORDS.map(({ name, breaks, create }) => ({
    ...{ name, breaks },
    create: () => overOneDisk(breaking(create())),
  })),
  ...GATED_RECORDS.map(({ name, breaks, create }) => ({
    ...{ name, breaks },
    create: () => {
      const breakIt = create();
      return overGatedAudiences(({ store: { records: stored }, access, gate }) => {
        const records = recordsBehindGate(stored, access);
        return { records: { ...records, ...breakIt({ records, stored, access, gate }) } };
      });
    },
  })),
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
    name: "cuts values at 16 KiB",
    breaks: "a value comes back as it was; a member without one has none",
    create: () =>
      overOneDisk((store) => ({
        ...store,
        append: (set, members) =>
          store.append(
            set,
            members.map(({ userId, value }): Member =>
              value ? { userId, value: value.slice(0, 16_384) } : { userId },
            ),
          ),
      })),
  },
  {
    name: "finds sets by a pattern",
    breaks: "sets are found by the beginning of their names, in order",
    create: () => overOneDisk((store) => ({ ...store, sets: findingByPattern(store) })),
  },
  {
    name: "finds no set by the empty text",
    breaks: "sets are found by the beginning of their names, in order",
    create: () =>
      overOneDisk((store) => ({ ...store, sets: async (prefix) => (prefix === "" ? [] : store.sets(prefix)) })),
  },
  {
    name: "finds 100 sets",
    breaks: "all sets are found, however many begin with the same text",
    create: () =>
      overOneDisk((store) => ({ ...store, sets: async (prefix) => (await store.sets(prefix)).slice(0, 100) })),
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
    create: () => ({ open: () => Promise.resolve(createMemoryAudienceStore({ disk: createMemoryDisk() })) }),
  },
  {
    name: "drops only sets in its memory",
    breaks: "a dropped set stays dropped after a crash, and an interrupted drop can be continued",
    create: () => overOneDisk(hidingWhatIsDropped),
  },
  {
    name: "appends in two transactions",
    breaks: "a set is read as it was before an append or after it, while members are appended, between two processes",
    create: appendingInHalves,
  },
  {
    name: "appends in two transactions, beside another append",
    breaks:
      "two appends to one set at the same time: each is there whole if it is answered, otherwise not at all, between two processes",
    create: appendingInHalves,
  },
  {
    name: "appends to the members that it has read before",
    breaks:
      "an append and a drop at the same time: what is appended is there alone, or is dropped too, between two processes",
    create: appendingToWhatItRead,
  },
  {
    name: "erases from the members that it has read before",
    breaks:
      "an append and an erasure at the same time: who was counted as erased is gone, and all others are there, between two processes",
    create: erasingFromWhatItRead,
  },
  {
    name: "drops a set that was empty when it asked",
    breaks:
      "an append and an erasure of all members at the same time: what is appended is there, with its set, between two processes",
    create: droppingWhatWasEmpty,
  },
  {
    name: "answers a replacement before it has written it",
    breaks:
      "after a crash at any access of an append and a replacement, each that was answered is there, and each other one whole or not at all",
    supports: { ...ALONE, ...HASTY },
    create: createHastyAudiences,
  },
  {
    name: "is busy after it has appended members",
    breaks:
      "a call that fails as `busy` or `full` at any access has changed nothing, and is carried out when it is repeated",
    create: busyAfterAppending,
  },
  {
    name: "appends in two transactions, of which one fails",
    breaks:
      "a call that fails as `unavailable` at any access is carried out whole or not at all, and once more when it is repeated",
    create: appendingInHalves,
  },
  {
    name: "goes on after a fault that is corrupt",
    breaks: "after a call that fails as `corrupt` all methods reject, and the call is carried out whole or not at all",
    create: goingOnWithMembers,
  },
  {
    name: "shows no members where it cannot read",
    breaks: "a read of members that fails rejects: it never answers as if there were no set or member",
    create: readingNoMembers,
  },
];

/** A store with broken records. */
function breaking(breakIt: BreakRecords): (store: AudienceStore) => AudienceStore {
  return (store) => {
    const { records } = store;
    const disk = { records, stored: records, access: accessThrough(OPEN_GATE), gate: OPEN_GATE };
    return { ...store, records: { ...records, ...breakIt(disk) } };
  };
}
