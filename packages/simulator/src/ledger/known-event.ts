// What decided how a delivery is, as the settlements and the ends show it: the rounds that were recorded, and whether the last
// change recorded one. Does not call core, so that an error of core is not repeated.

import type { AttemptRecord, DeliveryPolicy, EndpointId, MonoMs, Settlement } from "@postrider/core";

export interface KnownEvent {
  /** The attempts of the change that moved the delivery last: none if it was ended, released, or dead without a round. */
  last: readonly AttemptRecord[];
  /** The attempts of the last round that was recorded. */
  lastRound: readonly AttemptRecord[];
  /** Whether a request had a `local` fault, which is not recorded: a round may have lasted longer than its record shows. */
  hadLocalFault: boolean;
  /** When the first recorded round began. */
  firstStartedAt: number | undefined;
  /** The latest attempt at each endpoint, and the latest refusal of each. */
  readonly latest: Map<EndpointId, AttemptRecord>;
  readonly refusals: Map<EndpointId, AttemptRecord>;
  /** The endpoints that have refused it for good, as the settlements say: it goes to the others. */
  readonly final: Set<EndpointId>;
  /** When each endpoint refused it, in the last settled round that it was part of. */
  readonly refusedAt: Map<EndpointId, MonoMs>;
}

export function createKnownEvent(): KnownEvent {
  return {
    last: [],
    lastRound: [],
    hadLocalFault: false,
    firstStartedAt: undefined,
    latest: new Map(),
    refusals: new Map(),
    final: new Set(),
    refusedAt: new Map(),
  };
}

/** To be called when a settlement took effect. */
export function noteSettlement(event: KnownEvent, { attempts }: Settlement): void {
  event.last = attempts;
  if (attempts.length > 0) event.lastRound = attempts;
  const [first] = attempts;
  event.firstStartedAt ??= first?.startedAt;
}

/** To be called when an attempt is recorded, also after its round was settled. */
export function noteAttempt({ latest, refusals }: KnownEvent, attempt: AttemptRecord): void {
  latest.set(attempt.endpoint, attempt);
  if (attempt.verdict === "refused") refusals.set(attempt.endpoint, attempt);
}

/** To be called when the delivery was ended without a settlement. */
export function noteEnd(event: KnownEvent): void {
  event.last = [];
}

/** When the window ends that the first recorded round has begun; undefined before that. */
export function windowEndOf({ firstStartedAt }: KnownEvent, { retryWindowMs }: DeliveryPolicy): number | undefined {
  return firstStartedAt === undefined ? undefined : Math.floor(firstStartedAt + retryWindowMs);
}
