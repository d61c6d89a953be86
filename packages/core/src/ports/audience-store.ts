// The port of what audiences are: a few small records, and sorted sets of members that may be far larger than memory. It
// decides nothing: what a sync is and how far it has come, the relay writes into the records. Independent of the delivery
// store, which may be another one.

import type { AudienceRecord } from "../audience/audience.js";
import type { Member } from "../audience/member.js";

export interface AudienceStore {
  /** Keeps a new audience. False when its key is taken. */
  create(record: AudienceRecord): Promise<boolean>;
  find(key: string): Promise<AudienceRecord | undefined>;
  /** All of them, in the order of their keys. */
  list(): Promise<readonly AudienceRecord[]>;
  /** Puts the record in the place of the one with its key, if that is still of revision `record.revision - 1`; else false. */
  replace(record: AudienceRecord): Promise<boolean>;
  /**
   * Adds members to the end of a set, which begins with its first page. They are in strictly ascending order of user id (by
   * UTF-16 code units, as `<` compares), all beyond those that it holds; if the first is not, it rejects. All or none of
   * them. Resolves once it would survive a power cut; how long others wait for it is up to how many they are.
   */
  append(set: string, members: readonly Member[]): Promise<void>;
  /** The next members of a set beyond `after`, in order, as many as suit the store; none at its end, or if there is no such set. */
  read(set: string, after?: string): Promise<readonly Member[]>;
  /** The names of all sets that begin with `prefix`, in order. */
  sets(prefix: string): Promise<readonly string[]>;
  /** Removes up to a bounded part of a set. Repeat until it answers true: nothing of it is left. */
  drop(set: string): Promise<boolean>;
  /**
   * Takes these users out of a set, wherever they stand in it; those that are not in it change nothing. One durable commit.
   * Answers how many were in it. A set that loses its last member is gone, as if it had been dropped.
   */
  erase(set: string, userIds: readonly string[]): Promise<number>;
  /**
   * Sees to it that nothing of what was replaced, dropped or erased is left in the store's files. False when another
   * process held them: ask again later.
   */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}
