// The part of a delivery store that knows of users: who is suppressed, whose data is to go, and how far each request has
// come. It shares commits with the deliveries, since a notice and the record that it was stored must not part.
// A request is in force from the moment it is kept: what is stored of its users until then is out of reach. It is not
// handed out or replayed again; where it would be claimed it dies as purged, and so it does where it would be settled as
// anything but delivered; `purge` then removes the bodies.

import type { DeletionRecord } from "../deletion/deletion.js";
import type { Regulation } from "../deletion/regulation.js";
import type { DeletionId, EpochMs, SourceId } from "../ids.js";

export interface DeletionStore {
  /**
   * One durable commit: keeps the request, suppresses its users or lifts that, and puts their data out of reach, as its
   * regulation says. An id that is known already changes nothing.
   */
  open(deletion: NewDeletion, now: EpochMs): Promise<void>;
  /**
   * Looks at up to `limit` deliveries that were stored before the request, and removes what is about its users: bodies,
   * user ids, and the answers that receivers gave. What waited is dead(`purged`), what was dead is so for that reason,
   * what was delivered stays so, what is claimed may finish its round: it weighs nothing in its lane, keeps no answers,
   * and if it is not delivered it is dead(`purged`). Delete messages stay. Repeat until `isDone`. Of a request that
   * nobody has opened, or that purges nothing, it is done.
   */
  purge(
    slice: { readonly id: DeletionId; readonly limit: number },
    now: EpochMs,
  ): Promise<{ readonly isDone: boolean }>;
  /**
   * Ends a request that is purged and notified: forgets its user ids, and sees to it that nothing which was removed is
   * left in the store's files. False when somebody else held them: ask again later. False, too, while there is something
   * left to do, and of a request that nobody has opened.
   */
  finish(id: DeletionId, now: EpochMs): Promise<boolean>;
  find(id: DeletionId): Promise<DeletionRecord | undefined>;
  /** Newest first. `unfinished` leaves out the others. */
  list(query: DeletionQuery): Promise<DeletionPage>;
  /** The suppressed users, in an order of the store's own that never changes. */
  suppressed(query: { readonly after?: string; readonly limit: number }): Promise<readonly string[]>;
}

export interface NewDeletion {
  readonly id: DeletionId;
  readonly regulation: Regulation;
  /** Each once. */
  readonly userIds: readonly string[];
  /** Null: those of all sources. */
  readonly sources: readonly SourceId[] | null;
}

export interface DeletionQuery {
  readonly unfinished?: boolean;
  /** The last one of the page before. */
  readonly after?: DeletionId;
  readonly limit: number;
}

export interface DeletionPage {
  /** Their `userIds` are left out: an empty list. */
  readonly deletions: readonly DeletionRecord[];
  readonly more: boolean;
}

/** How far the notices of a request have come; rides on the commit that stores them. Never goes back. */
export interface Notified {
  readonly deletion: DeletionId;
  /** How many of its users have theirs. */
  readonly users: number;
}
