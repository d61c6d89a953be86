// The first state of a delivery, and its state after a round. Data only, without knowledge of a store; a commit stores both.

import type { DeliveryId, EpochMs, LeaseToken } from "../ids.js";
import type { AttemptRecord, Detail, EndpointState } from "./delivery.js";

export type InitialState =
  | { readonly kind: "claimed" }
  | { readonly kind: "waiting"; readonly dueAt: EpochMs }
  | { readonly kind: "dead"; readonly reason: "lane-full" };

export interface Settlement {
  readonly id: DeliveryId;
  /** The settlement applies only if the delivery is still claimed under this token. */
  readonly token: LeaseToken;
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptRecord[];
  /** Replaces the stored state of the endpoints, except on `released`. */
  readonly endpoints: readonly EndpointState[];
}

export type Outcome =
  | { readonly kind: "delivered"; readonly detail: Detail }
  /** Without a `detail`, the stored one stays. `purged` is decided by the store, the others by core/round. */
  | { readonly kind: "dead"; readonly reason: "expired" | "refused" | "purged"; readonly detail?: Detail }
  | { readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail }
  /** Claimed, but no attempt is recorded: this counts no round and starts no window. */
  | { readonly kind: "released"; readonly dueAt: EpochMs };
