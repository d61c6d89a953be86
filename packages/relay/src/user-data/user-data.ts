// The public interface of a relay for what is held of one user: for the right of access.

import type { AudienceRecord, DeletionId, DeletionRecord, DeliveryRecord, DestinationId } from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/** A thing that is held of a user. */
export type UserDatum =
  /** The user's calls are not accepted. */
  | { readonly kind: "suppression" }
  /** A request that names the user and is not finished yet; a finished one names no user. `userIds` is empty. */
  | { readonly kind: "deletion-request"; readonly request: DeletionRecord }
  | Membership
  /** A delivery of a message of which this is one of the users. */
  | { readonly kind: "delivery"; readonly delivery: DeliveryRecord };

/** A user is a member of an audience, or has a value of a computed trait, in one of its stored sets. */
export interface Membership {
  readonly kind: "membership";
  readonly audience: Pick<AudienceRecord, "key" | "name" | "kind">;
  /** Whether the set is that of the last complete upload; if not, it is one that destinations were told before. */
  readonly isCurrent: boolean;
  /** The destinations that were told so. */
  readonly destinations: readonly DestinationId[];
  /** The value of a computed trait, as JSON text. */
  readonly value?: string;
}

/** Where a page of user data ends. Its content may change; to be passed on as it is. */
export type UserDataCursor =
  | { readonly part: "suppression"; readonly after?: string }
  | { readonly part: "requests"; readonly after?: DeletionId }
  | { readonly part: "memberships"; readonly after?: string }
  | { readonly part: "deliveries"; readonly after?: string };

/** Which page of what is held of a user. */
export interface UserDataQuery {
  readonly userId: string;
  /** The cursor `next` of the previous page. */
  readonly after?: UserDataCursor;
}

/** A page of user data. It may be empty although there is a next page; `next` is absent on the last one. */
export interface UserDataPage {
  readonly data: readonly UserDatum[];
  readonly next?: UserDataCursor;
}

/** The methods of a relay for what is held of a user. */
export interface UserDataRequests {
  /**
   * A page of all that the stores hold of a user: suppression, unfinished requests, audiences, deliveries, in this order. The
   * pages are read one after the other, and show what is held while each is read.
   */
  userData(query: UserDataQuery): ResultAsync<UserDataPage, RelayFault>;
}
