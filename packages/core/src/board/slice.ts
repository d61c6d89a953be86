// Decides how many tokens of a rate limit a process takes from the board at once (decision: lane board). They must be used soon: they are
// not in the bucket any more, but no receiver has seen them yet. Keeps no state.

import { type EpochMs, type MonoMs, plusMs } from "../ids.js";
import { gainMs, RATE_ROUNDING, type RateLimit, refill } from "../intake/rate-limit.js";
import { BOARD_SLICE_MS } from "../limits.js";
import type { BoardTokens } from "../ports/lane-board.js";

/** Tokens that a process has taken, and may use. Not the token of a claim. */
export interface LeasedTokens {
  readonly left: number;
  readonly until: MonoMs;
  /** The instant from which further ones may be asked for. */
  readonly askAt: MonoMs;
}

/** The request of a process for tokens from the board. */
export interface SliceRequest {
  /** The process's part of the rate: a slice is that part of the bucket's tokens, or of its gain in `BOARD_SLICE_MS` if that is more. */
  readonly share: number;
  /** The number that it can use. */
  readonly wanted: number;
}

/** The bucket after a process has taken `taken` tokens; 0 if there is no whole one. */
interface TokenSlice {
  readonly tokens: BoardTokens;
  readonly taken: number;
}

/** Takes a slice: at least one token if there is one. Without `tokens` the bucket is full. */
export function takeSlice(
  limit: RateLimit,
  tokens: BoardTokens | undefined,
  { share, wanted }: SliceRequest,
  now: EpochMs,
): TokenSlice {
  const available = leftAt(limit, tokens, now);
  const part = Math.max(available, (limit.perSecond * BOARD_SLICE_MS) / 1_000) * share;
  const slice = Math.max(0, Math.min(Math.floor(available + RATE_ROUNDING), Math.max(1, Math.floor(part)), wanted));
  return { taken: slice, tokens: { left: available - slice, at: now } };
}

/** The instant at which the bucket has a slice of this part, or half of the burst if that is less; `now` if it has one already. */
export function nextSliceAt(limit: RateLimit, tokens: BoardTokens, share: number, now: EpochMs): EpochMs {
  const slice = Math.min(limit.burst / 2, ((limit.perSecond * BOARD_SLICE_MS) / 1_000) * share);
  const shortfall = Math.max(1, Math.floor(slice)) - leftAt(limit, tokens, now);
  return shortfall <= RATE_ROUNDING ? now : plusMs(now, gainMs(limit, shortfall));
}

/** The tokens that a process may still use. */
export function leasedLeft({ left, until }: LeasedTokens, now: MonoMs): number {
  return now < until ? Math.max(0, left) : 0;
}

/** A bucket gains nothing while the clock of the store stands before its instant. */
function leftAt(limit: RateLimit, tokens: BoardTokens | undefined, now: EpochMs): number {
  return tokens === undefined ? limit.burst : refill(limit, tokens.left, Math.max(0, now - tokens.at));
}
