// The changes of deliveries in the model, in the terms of the port. Choices of the store, such as new ids, are passed
// in.

import {
  type Changes,
  DEDUPE_WINDOW_MS,
  type EndRequest,
  type EpochMs,
  epochMs,
  type InitialState,
  type Lease,
  type LeaseToken,
  type NewMessage,
  plusMs,
  holderOf,
  type PullInRequest,
  type Replay,
  type SeenMessage,
  type SeenQuery,
  type Settlement,
  type SettleResult,
  type SweepRequest,
} from "@postrider/core";
import { isUnfinished, type Model, type ModelDelivery, unfinishedIn } from "./model.js";
import { endAsPurged, isOutOfReach } from "./users.js";

/** Decides the fate of a message in a commit. If several apply, it is the first in the order of the result type. */
export function judgeMessage(
  model: Model,
  { source, messageId, userIds = [], asOf }: NewMessage,
  now: EpochMs,
): "outdated" | "suppressed" | "duplicate" | "stored" {
  if (asOf !== undefined && model.requests.some(({ number }) => number > asOf)) return "outdated";
  if (userIds.some((userId) => model.suppressed.includes(userId))) return "suppressed";
  return seenBy(model, { source, messageId }, now).length > 0 ? "duplicate" : "stored";
}

/** The seen messages of an id: at most one for each source, since duplicates are not stored. */
export function seenBy({ seen }: Model, { messageId, source }: SeenQuery, now: EpochMs): readonly SeenMessage[] {
  return seen
    .filter((message) => message.messageId === messageId && now - message.at < DEDUPE_WINDOW_MS)
    .filter((message) => source === undefined || message.source === source)
    .map((message) => ({ source: message.source, seenAt: message.at, deliveries: message.deliveries }));
}

type Newcomer = Pick<ModelDelivery, "id" | "message" | "destination" | "acceptedAt" | "replayOf"> & {
  readonly start: InitialState;
  readonly lease: Lease;
};

/** Adds a delivery that was just stored. */
export function addModelDelivery(model: Model, { start, lease, ...newcomer }: Newcomer, now: EpochMs): void {
  const delivery = { ...newcomer, rounds: 0, endpoints: [], attempts: [], isSwept: false, isToBeSwept: false };
  const starts = {
    waiting: { at: start.kind === "waiting" ? start.dueAt : now },
    claimed: { at: plusMs(now, lease.leaseMs), token: lease.token },
    dead: { at: now, reason: "lane-full" },
  } as const;
  model.deliveries.push({ ...delivery, state: start.kind, ...starts[start.kind] });
}

export function settle(model: Model, settlement: Settlement, now: EpochMs): SettleResult {
  const { id, token, outcome } = settlement;
  const delivery = model.deliveries.find((candidate) => candidate.id === id);
  if (delivery?.state !== "claimed" || delivery.token !== token) return "stale";
  const isPurged = isOutOfReach(model, delivery);
  delete delivery.token;
  recordRound(delivery, settlement, isPurged);
  if (isPurged && outcome.kind !== "delivered") {
    endAsPurged(delivery, now);
    return "purged";
  }
  const isWaiting = outcome.kind === "rescheduled" || outcome.kind === "released";
  delivery.state = isWaiting ? "waiting" : outcome.kind;
  delivery.at = isWaiting ? outcome.dueAt : now;
  if (outcome.kind === "dead") delivery.reason = outcome.reason;
  return "settled";
}

function recordRound(delivery: ModelDelivery, { outcome, attempts, endpoints }: Settlement, isPurged: boolean): void {
  delivery.attempts = [...delivery.attempts, ...attempts];
  if (attempts.length > 0) {
    delivery.rounds += 1;
    delivery.firstAttemptAt ??= epochMs(Math.min(...attempts.map(({ startedAt }) => startedAt)));
  }
  if (outcome.kind === "released") return;
  if (outcome.detail !== undefined) delivery.detail = outcome.detail;
  delivery.endpoints = isPurged ? endpoints.map(({ excerpt: _, ...state }) => state) : endpoints;
}

export function append(model: Model, { id, attempt }: Changes["append"][number]): "appended" | "gone" {
  const delivery = model.deliveries.find((candidate) => candidate.id === id && !candidate.isSwept);
  if (delivery === undefined) return "gone";
  delivery.attempts = [...delivery.attempts, attempt];
  return "appended";
}

/** The delivery that a replay repeats, unless it is gone, unfinished, out of reach, or was replayed and must not be again. */
export function findReplayable(model: Model, { of, once }: Replay): ModelDelivery | undefined {
  const delivery = model.deliveries.find(({ id }) => id === of);
  if (delivery === undefined || delivery.isSwept || isUnfinished(delivery)) return undefined;
  if (once === true && wasReplayed(model, delivery)) return undefined;
  return isOutOfReach(model, delivery) ? undefined : delivery;
}

/** True if a delivery was replayed, also if its replay is gone. */
export function wasReplayed(model: Model, { id }: ModelDelivery): boolean {
  return model.deliveries.some(({ replayOf }) => replayOf === id);
}

/** The deliveries of a lane that can be claimed, earliest due first. */
export function claimableDeliveries(
  model: Model,
  lane: ModelDelivery["destination"],
  now: EpochMs,
): readonly ModelDelivery[] {
  return unfinishedIn(model, lane)
    .filter(({ at }) => at <= now)
    .sort((first, second) => first.at - second.at);
}

export function claim(delivery: ModelDelivery, { token, leaseMs }: Lease, now: EpochMs): void {
  lapse(delivery, now, token);
  Object.assign(delivery, { state: "claimed", token, at: now + leaseMs });
}

/** Counts a lapse if a claim of the delivery was not settled. Called before it is claimed, or becomes dead without a settlement. */
export function lapse(delivery: ModelDelivery, now: EpochMs, by?: LeaseToken): void {
  if (delivery.token === undefined) return;
  const taker = by === undefined ? {} : { takenBy: holderOf(by) };
  const count = (delivery.lapses?.count ?? 0) + 1;
  delivery.lapses = { count, process: holderOf(delivery.token), leaseUntil: delivery.at, takenAt: now, ...taker };
}

export function endableDeliveries(model: Model, request: EndRequest, now: EpochMs): readonly ModelDelivery[] {
  const { lane, firstAttemptBefore, acceptedBefore = Infinity } = request;
  return unfinishedIn(model, lane).filter(({ state, at, acceptedAt, firstAttemptAt }) => {
    if (state === "claimed" && at > now) return false;
    if (firstAttemptBefore !== undefined && (firstAttemptAt ?? Infinity) >= firstAttemptBefore) return false;
    return acceptedAt < acceptedBefore;
  });
}

export function end(model: Model, delivery: ModelDelivery, { reason, detail }: EndRequest, now: EpochMs): void {
  const isPurged = isOutOfReach(model, delivery);
  lapse(delivery, now);
  endAsPurged(delivery, now);
  if (isPurged) return;
  delivery.reason = reason;
  if (detail !== undefined) delivery.detail = detail;
}

export function deliveriesDueTooLate(model: Model, { lane, dueAfter }: PullInRequest): readonly ModelDelivery[] {
  return unfinishedIn(model, lane).filter(({ at }) => at > dueAfter);
}

export function sweepableDeliveries(
  model: Model,
  { deliveredBefore, deadBefore }: SweepRequest,
): readonly ModelDelivery[] {
  return model.deliveries.filter(({ isSwept, isToBeSwept, state, at }) => {
    if (isSwept || isToBeSwept) return !isSwept;
    return (state === "delivered" && at < deliveredBefore) || (state === "dead" && at < deadBefore);
  });
}
