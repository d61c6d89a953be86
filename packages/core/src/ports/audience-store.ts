// The storage port of audiences: a few small records, and sorted sets of members that may be far larger than memory. A store
// decides nothing; the relay writes the progress of syncs into the records. The delivery store may be another product. Methods
// that fail reject with a `StoreError`.

import type { Member } from "../audience/member.js";
import type { RecordStore } from "./record-store.js";

/** The storage port of audiences and their members. Rejects only with a `StoreError`. */
export interface AudienceStore {
  /** The records of audiences. */
  readonly records: RecordStore;
  /**
   * Appends members to a set, all of them or none; the first append creates the set. The members must be strictly ascending by
   * user id (by UTF-16 code units, as `<` compares), and greater than those in the set. Rejects if the first member is not
   * greater. Resolves once the members would survive a power cut. The more members are given, the longer the method may block
   * other methods.
   */
  append(set: string, members: readonly Member[]): Promise<void>;
  /**
   * The members of a set that follow the user `after`; without `after`, the first members. In order, and as many as the store
   * chooses. Empty at the end of the set, or if there is no such set.
   */
  read(set: string, after?: string): Promise<readonly Member[]>;
  /** All names of sets that begin with `prefix`, in order. */
  sets(prefix: string): Promise<readonly string[]>;
  /** Removes a bounded part of a set. Returns true once the set is gone; repeat until then. */
  drop(set: string): Promise<boolean>;
  /**
   * Removes these users from a set, and answers how many of them were in it. One durable commit. A set that loses its last
   * member is gone, as if it had been dropped.
   */
  erase(set: string, userIds: readonly string[]): Promise<number>;
  /**
   * Removes all replaced, dropped and erased data from the store's files. Returns false if another process has the files
   * locked; call the method again later.
   */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}
