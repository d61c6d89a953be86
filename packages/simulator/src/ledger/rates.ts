// Checks the rate limit of a destination from both sides: a process starts no more rounds than the limit allows, and no fewer
// than it must. Counts the rounds that it sees and does not call core, so that an error of core is not repeated.

import type { RateLimit } from "@postrider/core";
import { type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import type { KnownLane } from "./known-lane.js";
import type { KnownRate } from "./known-rate.js";

/** The longest time from when a process takes a token to its request, without faults: claims and commits take time. */
const UNSEEN_MS = 500;
/** The tolerance for rounding errors in sums of tokens. */
const ROUNDING = 1e-6;

interface Spender {
  readonly process: number;
  readonly rateLimit: RateLimit;
}

/** Records that a process starts a round, and checks that it may. While there is a fault, requests may come in heaps. */
export function observeRate(ledger: Ledger, known: KnownDelivery, { process, rateLimit }: Spender): void {
  const lane = laneOf(ledger, known.lane);
  const before = rateNow(ledger, lane.rates.get(process), rateLimit);
  if (before.most < 1 - ROUNDING) {
    const lackingMs = String(Math.ceil(((1 - before.most) * 1_000) / rateLimit.perSecond));
    reportBroken(ledger, "rate-limit", `${nameOf(known)} was sent ${lackingMs} ms before its destination allows`);
  }
  lane.rates.set(process, { ...spendLeast(before), most: before.most - 1 });
}

/** A delivery that was claimed and settled without a request may have cost a token. */
export function observeUnsent(ledger: Ledger, lane: KnownLane, process: number): void {
  const before = lane.rates.get(process);
  if (before === undefined) return;
  lane.rates.set(process, spendLeast(rateNow(ledger, before, before.rateLimit)));
}

/** Until when the rate limit may have delayed the lane, over all processes. */
export function dryUntil({ promptFrom }: Ledger, { rates }: KnownLane, rateLimit: RateLimit | undefined): number {
  if (rateLimit === undefined) return 0;
  // What was spent during a fault is not known.
  const afterFaults = promptFrom === 0 ? 0 : promptFrom + 1_000 / rateLimit.perSecond;
  return Math.max(afterFaults, ...[...rates.values()].map(({ dryUntilMs }) => dryUntilMs));
}

function rateNow({ clock, promptFrom }: Ledger, before: KnownRate | undefined, rateLimit: RateLimit): KnownRate {
  const { burst, perSecond } = rateLimit;
  const atMs = clock.monotonic();
  const capacity = burst + (perSecond * UNSEEN_MS) / 1_000;
  const isFaulty = atMs < promptFrom;
  if (before === undefined) return { rateLimit, atMs, most: capacity, least: isFaulty ? 0 : burst, dryUntilMs: 0 };
  const gained = ((atMs - before.atMs) * perSecond) / 1_000;
  const most = isFaulty ? capacity : Math.min(capacity, before.most + gained);
  const least = isFaulty ? 0 : Math.min(burst, before.least + gained);
  return { ...before, atMs, most, least };
}

function spendLeast(before: KnownRate): KnownRate {
  const least = Math.max(0, before.least - 1);
  const dryMs = (Math.max(0, 1 - least) * 1_000) / before.rateLimit.perSecond;
  return { ...before, least, dryUntilMs: before.atMs + dryMs };
}
