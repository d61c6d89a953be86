// Estimates, from above and below, the rounds that a process may start in a lane: by the rate limit of its destination, and by
// its slots, of which the ledger never counts more than the process has. Does not call core, so that no error of it is repeated.

import type { RateLimit, Outcome } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import type { KnownLane, KnownRate } from "./known.js";

/** The longest time from when a process counts a round to its request, without faults: claims and commits take time. */
const UNSEEN_MS = 500;

/** The tolerance for rounding errors in sums of parts of rounds. */
const ROUNDING = 1e-6;

interface Spender {
  readonly process: number;
  readonly rateLimit: RateLimit;
}

/** Records that a process starts a round, and checks that it may. While there is a fault, requests may come in heaps. */
export function observeRate(ledger: Ledger, delivery: KnownDelivery, { process, rateLimit }: Spender): void {
  const lane = laneOf(ledger, delivery.lane);
  const rate = rateNow(ledger, lane.rates.get(process), rateLimit, lane.unsentBy.has(process));
  if (rate.most < 1 - ROUNDING) {
    const lackingMs = String(Math.ceil(((1 - rate.most) * 1_000) / rateLimit.perSecond));
    reportBroken(ledger, "rate-limit", `${nameOf(delivery)} was sent ${lackingMs} ms before its destination allows`);
  }
  lane.rates.set(process, { ...spendLeast(rate), most: rate.most - 1 });
}

/** A delivery that was claimed and settled without a request may have been counted as a round. */
function observeUnsent(ledger: Ledger, lane: KnownLane, process: number): void {
  const earlierRate = lane.rates.get(process);
  if (earlierRate === undefined) {
    lane.unsentBy.add(process);
    return;
  }
  lane.rates.set(process, spendLeast(rateNow(ledger, earlierRate, earlierRate.rateLimit)));
}

/** Until when the rate limit may have delayed the lane, over all processes. */
export function dryUntil({ promptFrom }: Ledger, { rates }: KnownLane, rateLimit: RateLimit | undefined): number {
  if (rateLimit === undefined) return 0;
  // The part of the rate that was used during a fault is not known.
  const afterFaults = promptFrom === 0 ? 0 : promptFrom + 1_000 / rateLimit.perSecond;
  return Math.max(afterFaults, ...[...rates.values()].map(({ dryUntilMs }) => dryUntilMs));
}

function rateNow(
  { clock, promptFrom }: Ledger,
  earlierRate: KnownRate | undefined,
  rateLimit: RateLimit,
  hasSpentUnseen = false,
): KnownRate {
  const { burst, perSecond } = rateLimit;
  const atMs = clock.monotonic();
  const capacity = burst + (perSecond * UNSEEN_MS) / 1_000;
  const isDuringFault = atMs < promptFrom;
  if (earlierRate === undefined)
    return { rateLimit, atMs, most: capacity, least: isDuringFault || hasSpentUnseen ? 0 : burst, dryUntilMs: 0 };
  const gained = ((atMs - earlierRate.atMs) * perSecond) / 1_000;
  const most = isDuringFault ? capacity : Math.min(capacity, earlierRate.most + gained);
  const least = isDuringFault ? 0 : Math.min(burst, earlierRate.least + gained);
  return { ...earlierRate, atMs, most, least };
}

function spendLeast(rate: KnownRate): KnownRate {
  const least = Math.max(0, rate.least - 1);
  const dryMs = (Math.max(0, 1 - least) * 1_000) / rate.rateLimit.perSecond;
  return { ...rate, least, dryUntilMs: rate.atMs + dryMs };
}

/** The weight of one round in the share of failures. */
const WEIGHT = 1 / 32;

/** Above this share, each failure costs a slot. */
const LOSES_SLOT_FROM = 0.4;

/** From this share on, the lane may be held. */
const HELD_FROM = 0.85;

/** A lane that is not held keeps at least this many slots. */
const LEAST_SLOTS = 4;

export function observeRoundEnd(ledger: Ledger, delivery: KnownDelivery, outcome: Outcome): void {
  const process = delivery.token === undefined ? undefined : ledger.holders.get(delivery.token);
  if (process === undefined) return;
  const lane = laneOf(ledger, delivery.lane);
  if (!delivery.isOut) observeUnsent(ledger, lane, process);
  switch (outcome.kind) {
    case "delivered":
      observeSuccess(ledger, { lane, process }, delivery);
      return;
    case "released":
      // The round may have ended by a `local` fault, which costs a slot.
      lane.leastSlots = Math.min(lane.leastSlots, Math.max(LEAST_SLOTS, lane.leastSlots - 1));
      return;
    case "rescheduled":
    case "dead":
      observeFailure(lane, process);
      return;
  }
}

/** A round whose end its process could not record may have counted there as a failure. To be called when the delivery is claimed again. */
export function observeLostRound(ledger: Ledger, delivery: KnownDelivery): void {
  const process = delivery.token === undefined ? undefined : ledger.holders.get(delivery.token);
  if (process !== undefined && delivery.isOut) observeFailure(laneOf(ledger, delivery.lane), process);
}

/** True if this process may hold the lane, and so send only probes. */
export function mayBeHeld(lane: KnownLane, process: number): boolean {
  return lane.failing.get(process)?.mayBeHeld === true;
}

interface Place {
  readonly lane: KnownLane;
  readonly process: number;
}

/** Lowers the share of failures, except during faults: then it is not certain that the process got the reply. */
function observeSuccess({ clock, promptFrom }: Ledger, { lane, process }: Place, delivery: KnownDelivery): void {
  if (mayBeHeld(lane, process)) lane.lastFullAt = clock.monotonic();
  const failure = lane.failing.get(process);
  if (failure === undefined || clock.monotonic() < promptFrom) return;
  const isFirst = delivery.lastRoundAt === delivery.firstAttemptAt;
  const share = isFirst ? failure.share * (1 - WEIGHT) : failure.share;
  lane.failing.set(process, { share, mayBeHeld: false });
}

function observeFailure(lane: KnownLane, process: number): void {
  const failure = lane.failing.get(process) ?? { share: 0, mayBeHeld: false };
  const share = failure.share + WEIGHT * (1 - failure.share);
  const isHeld = failure.mayBeHeld || share >= HELD_FROM - 1e-9;
  lane.failing.set(process, { share, mayBeHeld: isHeld });
  if (isHeld) lane.leastSlots = 1;
  else if (share > LOSES_SLOT_FROM)
    lane.leastSlots = Math.min(lane.leastSlots, Math.max(LEAST_SLOTS, lane.leastSlots - 1));
}
