// The first state of a delivery, and the settlement that ends a claim. Data only; a commit stores both. Knows no store.

import type { DeliveryId, EpochMs, LeaseToken } from "../ids.js";
import type { AttemptRecord, Detail, EndpointState } from "./delivery.js";

/** The state in which a new delivery is stored. */
export type InitialState =
  | { readonly kind: "claimed" }
  | { readonly kind: "waiting"; readonly dueAt: EpochMs }
  | { readonly kind: "dead"; readonly reason: "lane-full" };

/** The end of a claim: what became of the delivery, and its attempts. Stored in one commit. */
export interface Settlement {
  readonly id: DeliveryId;
  /** The settlement applies only if the delivery is still claimed under this token. */
  readonly token: LeaseToken;
  readonly outcome: Outcome;
  /**
   * Empty on `released`. A delivery has at most one attempt for each round and endpoint, those of `Changes.append` included: a
   * store may use both as a key.
   */
  readonly attempts: readonly AttemptRecord[];
  /** Replaces the stored state of the endpoints, except on `released`, where it is empty. Each endpoint at most once. */
  readonly endpoints: readonly EndpointState[];
}

/** What becomes of a delivery at the end of a claim. */
export type Outcome =
  | { readonly kind: "delivered"; readonly detail: Detail }
  /** Without a `detail`, the stored detail stays. The store decides `purged`; core/round decides the other reasons. */
  | { readonly kind: "dead"; readonly reason: "expired" | "refused" | "purged"; readonly detail?: Detail }
  | { readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail }
  /** The delivery was claimed, but no attempt is recorded: the claim counts as no round and starts no window. */
  | { readonly kind: "released"; readonly dueAt: EpochMs };
