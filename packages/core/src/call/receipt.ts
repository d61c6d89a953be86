// The receipt of one call: what `accept` answers for that call. Receipts come in the order of the calls. Data only.

import type { DeliveryId, DestinationId, EpochMs } from "../ids.js";
import type { FilterReason } from "../routing/route.js";
import type { Refusal } from "./refusal.js";

/** What `accept` answers for one call. */
export type Receipt =
  | {
      readonly kind: "accepted";
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly { readonly destination: DestinationId | null; readonly reason: FilterReason }[];
    }
  /** A call with this messageId was accepted from the same source within 24 hours. Nothing of the duplicate is stored. */
  | { readonly kind: "duplicate"; readonly messageId: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** A user of the call is suppressed: nothing of the call is stored, and the HTTP answer to the caller is a success. */
  | { readonly kind: "suppressed"; readonly messageId: string }
  /** The store cannot take calls now: nothing of the call is stored, and the caller should send it again at `retryAt`. */
  | { readonly kind: "shed"; readonly retryAt: EpochMs };
