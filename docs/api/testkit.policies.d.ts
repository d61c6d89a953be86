// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/testkit/policies` exports.

import type { DeliveryPolicy, Fault } from "@postrider/core";
import type { IPropertyWithHooks } from "fast-check";

export interface DownAnswer {
  readonly gives: number | Fault;
  readonly tookMs: number;
  readonly retryAfter?: {
    readonly seconds: number;
    readonly form: "seconds" | "date";
  };
}

export interface DownEndpoint {
  readonly answers: readonly DownAnswer[];
}

export interface LaneLoad {
  readonly calls: number;
  readonly everyMs: number;
}

export interface LaneOutage {
  readonly endpoints: readonly DownEndpoint[];
  readonly lastsMs: number;
  readonly startsAt: number;
  readonly seed: number;
}

export interface OutageWish {
  readonly outageMs: number;
  readonly load?: LaneLoad;
}

export interface PlayedDelivery {
  readonly acceptedMs: number;
  readonly rounds: readonly PlayedRound[];
  readonly deliveredMs: number | undefined;
  readonly isRefused: boolean;
}

export interface PlayedRound {
  readonly startMs: number;
  readonly endMs: number;
  readonly notBeforeMs: number;
  readonly isConfirmation: boolean;
}

export type PolicyProperty = IPropertyWithHooks<[LaneOutage]>;

export declare function atLeastRounds(
  policy: AnyPolicy,
  wish: {
    readonly rounds: number;
  },
): PolicyProperty;

export declare function atMostRequests(
  policy: AnyPolicy,
  wish: OutageWish & {
    readonly requests: number;
  },
): PolicyProperty;

export declare function backWithin(
  policy: AnyPolicy,
  wish: OutageWish & {
    readonly withinMs: number;
  },
): PolicyProperty;

export declare function firstRetryWithin(
  policy: AnyPolicy,
  wish: {
    readonly withinMs: number;
  },
): PolicyProperty;

export declare function noStampede(
  policy: AnyPolicy,
  wish: OutageWish & {
    readonly share: number;
  },
): PolicyProperty;

export declare function playLane(
  policy: Partial<DeliveryPolicy>,
  outage: LaneOutage,
  load?: LaneLoad,
): readonly PlayedDelivery[];

export declare function spreadsRetries(
  policy: AnyPolicy,
  wish: {
    readonly share: number;
  },
): PolicyProperty;

export declare function survivesOutage(policy: AnyPolicy, wish: OutageWish): PolicyProperty;

// Not exported by name, but part of what is.

type AnyPolicy = Partial<DeliveryPolicy>;

export {};
