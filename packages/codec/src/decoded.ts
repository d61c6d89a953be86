// The result of a decoder: the value, or why it was refused. Plain unions of core's types; no Either leaves this package.

import type { Call, EpochMs, JsonObject, Problem } from "@postrider/core";
import type { RefusedCall } from "@postrider/core/engine";

export type DecodedCall = { readonly kind: "ok"; readonly call: Call } | RefusedCall;

/** A batch request, with its calls not yet decoded. */
export interface Batch {
  readonly calls: readonly unknown[];
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
  readonly sentAt?: EpochMs;
  readonly writeKey?: string;
}

export type BatchRefusalCode = "bad-batch" | "empty-batch" | "too-many-calls";

export type DecodedBatch =
  | { readonly kind: "ok"; readonly batch: Batch }
  | {
      readonly kind: "refused";
      readonly code: BatchRefusalCode;
      readonly path: string;
      readonly expected: string;
    };

export type Decoded<T> =
  { readonly kind: "ok"; readonly value: T } | { readonly kind: "refused"; readonly problems: readonly Problem[] };
