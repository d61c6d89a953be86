// Decides how many deliveries of a lane may start now if its destination has a rate limit: a token bucket. Tokens are kept in
// memory only; after a restart a lane has its whole burst (decision: lanes). Keeps no state; the caller keeps the tokens.

import { type MonoMs, plusMs } from "../ids.js";
import { gainMs, RATE_ROUNDING, type RateLimit, refill } from "../intake/rate-limit.js";

/** The tokens of a rate limit that were left at an instant. Not the token of a claim. */
export interface RateTokens {
  readonly left: number;
  readonly at: MonoMs;
}

/** The number of whole tokens that are left. Without `tokens`, all tokens of the burst are left. */
export function tokensLeft(limit: RateLimit, tokens: RateTokens | undefined, now: MonoMs): number {
  return Math.max(0, Math.floor(refilled(limit, tokens, now) + RATE_ROUNDING));
}

/** The instant at which a whole token is available: `now` if there is one. */
export function nextTokenAt(limit: RateLimit, tokens: RateTokens | undefined, now: MonoMs): MonoMs {
  const shortfall = 1 - refilled(limit, tokens, now);
  if (shortfall <= RATE_ROUNDING) return now;
  return plusMs(now, gainMs(limit, shortfall));
}

/**
 * Takes `count` tokens. A negative `count` returns tokens that were not used. The bucket is never in debt: what was claimed under an
 * earlier, higher limit is sent, and does not delay what comes after it.
 */
export function takeTokens(limit: RateLimit, tokens: RateTokens | undefined, count: number, now: MonoMs): RateTokens {
  return { left: Math.max(0, Math.min(limit.burst, refilled(limit, tokens, now) - count)), at: now };
}

function refilled(limit: RateLimit, tokens: RateTokens | undefined, now: MonoMs): number {
  return tokens === undefined ? limit.burst : refill(limit, tokens.left, now - tokens.at);
}
