// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/testkit/arbitraries` exports.

import type {
  Call,
  DeliveryPolicy,
  Destination,
  Draws,
  EpochMs,
  Header,
  JsonObject,
  Reply,
  RetryPolicy,
  Secret,
  SourceId,
  Workspace,
} from "@postrider/core";
import type { CheckedCall } from "@postrider/core/engine";
import type { Arbitrary } from "fast-check";

export declare const MAX_PLAYED_ROUNDS = 10000;

export type Outage = readonly [FailedRound, ...FailedRound[]];

export interface OutageOptions {
  readonly timeoutMs?: number;
  readonly maxHoldMs?: number;
}

export declare function badTimestampTexts(): Arbitrary<string>;

export declare function calls(): Arbitrary<Call>;

export declare function checkedCalls(): Arbitrary<CheckedCall>;

export declare function deliveryPolicies(): Arbitrary<DeliveryPolicy>;

export declare function destinations(sources: readonly SourceId[]): Arbitrary<Destination>;

export declare function endpointUrls(): Arbitrary<string>;

export declare function instants(): Arbitrary<EpochMs>;

export declare function integrationObjects(name?: string): Arbitrary<JsonObject>;

export declare function jsonObjects(): Arbitrary<JsonObject>;

export declare function jsonValues(): Arbitrary<unknown>;

export declare function nastyKeys(): Arbitrary<string>;

export declare function nastyNumbers(): Arbitrary<number>;

export declare function nastyStrings(): Arbitrary<string>;

export declare function outages({ timeoutMs, maxHoldMs }?: OutageOptions): Arbitrary<Outage>;

export declare function playOutage(policy: RetryPolicy, outage: Outage): readonly number[];

export declare function rawCalls(): Arbitrary<JsonObject>;

export declare function replies(): Arbitrary<Reply>;

export declare function retryDraws(): Arbitrary<Draws>;

export declare function retryPolicies(): Arbitrary<RetryPolicy>;

export declare function retryableReplies(): Arbitrary<Reply>;

export declare function secrets(): Arbitrary<Secret>;

export declare function staticHeaders(): Arbitrary<readonly Header[]>;

export declare function timestampTexts(): Arbitrary<TimestampText>;

export declare function troubledReceivers(): Arbitrary<TroubledReceiver>;

export declare function workspaces(): Arbitrary<Workspace>;

// Not exported by name, but part of what is.

interface FailedRound {
  readonly tookMs: number;
  readonly draws: Draws;
  readonly heldMs?: number;
}

interface TimestampText {
  readonly text: string;
  readonly at: EpochMs;
}

interface TroubledAnswers {
  readonly kind: "troubled";
  readonly usually: {
    readonly kind: "answers";
    readonly status: number;
    readonly afterMs: number;
  };
  readonly errors: number;
  readonly poisoned: number;
  readonly bears?: number;
}

interface TroubledReceiver {
  readonly usually: TroubledAnswers;
  readonly spreadMs: number;
}

export {};
