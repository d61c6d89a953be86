// The result of a decoder: the value, or why it was refused. Plain unions of core's types; no Either leaves this package.

import type { Call, EpochMs, JsonObject, Problem } from "@postrider/core";
import type { RefusedCall } from "@postrider/core/engine";

/** A typed call, or the refusal for the first field that has a wrong type. */
export type DecodedCall =
  | {
      readonly kind: "ok";
      readonly call: Call;
      /** The names of dates that cannot be read, and are absent in the call; undefined if there are none. */
      readonly unread?: readonly string[] | undefined;
    }
  | RefusedCall;

/** A batch request, with its calls not yet decoded. */
export interface Batch {
  readonly calls: readonly unknown[];
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
  readonly sentAt?: EpochMs;
  /** There is a `sentAt` that cannot be read. */
  readonly isSentAtUnread?: true;
  readonly writeKey?: string;
}

/** The reasons to refuse a whole batch: it is no batch, its list is empty, or the list has more than 2,500 calls. */
export type BatchRefusalCode = "bad-batch" | "empty-batch" | "too-many-calls";

/** The calls of a batch, not decoded yet, or why the whole batch is refused. */
export type DecodedBatch =
  | { readonly kind: "ok"; readonly batch: Batch }
  | {
      readonly kind: "refused";
      readonly code: BatchRefusalCode;
      readonly path: string;
      readonly expected: string;
    };

/** The decoded value, or all problems that were found, each with its path. */
export type Decoded<T> =
  { readonly kind: "ok"; readonly value: T } | { readonly kind: "refused"; readonly problems: readonly Problem[] };
