// The storage port of audiences: a few small records, and sorted sets of members that may be far larger than memory. A store
// decides nothing; the relay writes the progress of syncs into the records. It is independent of the delivery store, which may
// be another product. Methods reject as those of `DeliveryStore` do.

import type { AudienceRecord } from "../audience/audience.js";
import type { Member } from "../audience/member.js";

export interface AudienceStore {
  /** Stores a new audience. Answers false if its key exists already. */
  create(record: AudienceRecord): Promise<boolean>;
  find(key: string): Promise<AudienceRecord | undefined>;
  /** All audiences, in the order of their keys. */
  list(): Promise<readonly AudienceRecord[]>;
  /** Replaces the record with the same key. Changes nothing and answers false unless its revision is `record.revision - 1`. */
  replace(record: AudienceRecord): Promise<boolean>;
  /**
   * Appends members to a set; the first page creates it. The members are strictly ascending by user id (by UTF-16 code units,
   * as `<` compares), and all greater than those in the set; rejects if the first one is not. All of them or none. Resolves
   * once they would survive a power cut. It may block other calls, for longer the more members there are.
   */
  append(set: string, members: readonly Member[]): Promise<void>;
  /** The next members of a set after `after`, in order, as many as the store chooses; none at its end or if there is no set. */
  read(set: string, after?: string): Promise<readonly Member[]>;
  /** The names of all sets that begin with `prefix`, in order. */
  sets(prefix: string): Promise<readonly string[]>;
  /** Removes a bounded part of a set. Repeat until it answers true: the set is gone. */
  drop(set: string): Promise<boolean>;
  /**
   * Removes these users from a set, and answers how many of them were in it. One durable commit. A set that loses its last
   * member is gone, as if it had been dropped.
   */
  erase(set: string, userIds: readonly string[]): Promise<number>;
  /**
   * Removes all replaced, dropped and erased data from the store's files. False if another process has them locked: call it
   * again later.
   */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}
