// What `accept` answers for each call: the receipt of one call, in the order of the calls.

import type { DeliveryId, DestinationId, EpochMs } from "../ids.js";
import type { FilterReason } from "../routing/route.js";
import type { Refusal } from "./refusal.js";

export type Receipt =
  | {
      readonly kind: "accepted";
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly { readonly destination: DestinationId | null; readonly reason: FilterReason }[];
    }
  /** Seen within the last 24 hours from the same source; the first body wins, nothing of this one is stored. */
  | { readonly kind: "duplicate"; readonly messageId: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The user is suppressed: nothing is stored, the caller hears success. */
  | { readonly kind: "suppressed"; readonly messageId: string }
  /** The store can take nothing now; nothing is stored; try again at `retryAt`. */
  | { readonly kind: "shed"; readonly retryAt: EpochMs };
