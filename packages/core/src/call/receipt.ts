// The receipt of one call: what `accept` answers for it. Receipts come in the order of the calls. Data only.

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
  /** The same source sent this messageId within the last 24 hours. The first call counts; nothing of this one is stored. */
  | { readonly kind: "duplicate"; readonly messageId: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** A user of the call is suppressed: nothing is stored, and the caller gets a success. */
  | { readonly kind: "suppressed"; readonly messageId: string }
  /** The store cannot take calls now: nothing is stored, and the caller should retry at `retryAt`. */
  | { readonly kind: "shed"; readonly retryAt: EpochMs };
