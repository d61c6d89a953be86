// The receipt of one call: the answer of `accept` for it. Receipts come in the order of the calls. Data only.

import type { DeliveryId, DestinationId, EpochMs } from "../ids.js";
import type { FilterReason } from "../routing/route.js";
import type { Refusal } from "./refusal.js";

/** All codes of warnings about a call that was accepted. They are part of the HTTP API. */
export const WARNING_CODES = ["imprecise-number", "unread-date", "date-ahead"] as const;

/**
 * A part of a call that was accepted, and may mean something else than its caller meant. `imprecise-number`: at this path is a whole number
 * beyond 2^53, which a number of JavaScript, and so of most parsers, may not hold: send it as a text. Or the number is not finite, and is
 * delivered as null. At most three are reported. `unread-date`: the date at this path cannot be read, and counts as absent; without another
 * date the call has the time of its receipt. `date-ahead`: by its `sentAt` the call would be more than a day ahead of its receipt, so that
 * it has the time of its receipt.
 */
export interface CallWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly path: string;
}

/** The answer of `accept` for one call. */
export type Receipt =
  | {
      readonly kind: "accepted";
      readonly messageId: string;
      readonly deliveries: readonly DeliveryId[];
      readonly filtered: readonly { readonly destination: DestinationId | null; readonly reason: FilterReason }[];
      /** The parts that were accepted, but may mean something else than the caller meant. Absent if there are none. */
      readonly warnings?: readonly CallWarning[];
    }
  /** A call with this messageId was accepted from the same source within 24 hours. Nothing of the duplicate is stored. */
  | { readonly kind: "duplicate"; readonly messageId: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** A user of the call is suppressed: nothing of the call is stored, and the HTTP answer to the caller is a success. */
  | { readonly kind: "suppressed"; readonly messageId: string }
  /** The store cannot take calls now: nothing of the call is stored, and the caller should send it again at `retryAt`. */
  | { readonly kind: "shed"; readonly retryAt: EpochMs };
