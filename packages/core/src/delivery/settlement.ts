// How a delivery starts, and how the end of a round leaves it. Neither knows of a store; a commit carries both into one.

import type { DeliveryId, EpochMs, LeaseToken } from "../ids.js";
import type { AttemptRecord, DeadReason, Detail, EndpointState } from "./delivery.js";

export type Start =
  | { readonly kind: "claimed" }
  | { readonly kind: "waiting"; readonly dueAt: EpochMs }
  | { readonly kind: "dead"; readonly reason: "lane-full" };

export interface Settlement {
  readonly id: DeliveryId;
  /** Settled only if the delivery is still claimed under this token. */
  readonly token: LeaseToken;
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptRecord[];
  /** Replaces what was remembered of the endpoints; not on `released`. */
  readonly endpoints: readonly EndpointState[];
}

export type Outcome =
  | { readonly kind: "delivered"; readonly detail: Detail }
  /** Without a `detail`, the one stored stays. */
  | { readonly kind: "dead"; readonly reason: DeadReason; readonly detail?: Detail }
  | { readonly kind: "rescheduled"; readonly dueAt: EpochMs; readonly detail: Detail }
  /** Claimed, but no round took place: uses none, starts no window. */
  | { readonly kind: "released"; readonly dueAt: EpochMs };
