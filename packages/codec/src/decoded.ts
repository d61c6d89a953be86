// The result of a decoder: the value, or why it was refused. Plain unions of core's types; no Either leaves this package.

import type { Call, EpochMs, JsonObject, Problem, Refusal } from "@postrider/core";

export type DecodedCall =
  { readonly kind: "decoded"; readonly call: Call } | { readonly kind: "refused"; readonly refusal: Refusal };

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
  | { readonly kind: "decoded"; readonly batch: Batch }
  | {
      readonly kind: "refused";
      readonly code: BatchRefusalCode;
      readonly path: string;
      readonly expected: string;
    };

export type Decoded<T> =
  { readonly kind: "decoded"; readonly value: T } | { readonly kind: "refused"; readonly problems: readonly Problem[] };
