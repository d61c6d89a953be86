// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/testkit/policies` exports.

import type { DeliveryPolicy } from "@postrider/core";
import type { IPropertyWithHooks } from "fast-check";

export interface LaneLoad {
  readonly calls: number;
  readonly everyMs: number;
}

export interface OutageWish {
  readonly outageMs: number;
  readonly load?: LaneLoad;
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

export declare function survivesOutage(policy: AnyPolicy, wish: OutageWish): PolicyProperty;

// Not exported by name, but part of what is.

type AnyPolicy = Partial<DeliveryPolicy>;

interface LaneOutage {
  readonly lastsMs: number;
  readonly tookMs: number;
  readonly seed: number;
}

interface PlayedDelivery {
  readonly acceptedMs: number;
  readonly startsMs: readonly number[];
  readonly deliveredMs: number | undefined;
}

export {};
