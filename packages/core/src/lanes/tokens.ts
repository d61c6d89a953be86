// Decides how many deliveries of a lane may begin now where a destination has a rate: tokens that come steadily, up to a
// burst. Kept in memory only; after a restart a lane has its whole burst (decision: lanes).

import type { MonoMs } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";

/** What was left at a time. */
export interface Tokens {
  readonly left: number;
  readonly at: MonoMs;
}

/** What floating point may be off by. */
const ROUNDING = 1e-6;

/** Whole tokens. A lane that is new has its whole burst. */
export function tokensLeft(limit: RateLimit, tokens: Tokens | undefined, now: MonoMs): number {
  return Math.max(0, Math.floor(refilled(limit, tokens, now) + ROUNDING));
}

/** When there is a whole token; `now` if there is. */
export function nextTokenAt(limit: RateLimit, tokens: Tokens | undefined, now: MonoMs): MonoMs {
  const lacking = 1 - refilled(limit, tokens, now);
  if (lacking <= ROUNDING) return now;
  return (now + Math.ceil((lacking / limit.perSecond) * 1_000)) as MonoMs;
}

/** Takes `count` of them; below 0, gives back what was taken and not used. */
export function takeTokens(limit: RateLimit, tokens: Tokens | undefined, count: number, now: MonoMs): Tokens {
  return { left: Math.min(limit.burst, refilled(limit, tokens, now) - count), at: now };
}

function refilled({ perSecond, burst }: RateLimit, tokens: Tokens | undefined, now: MonoMs): number {
  return tokens === undefined ? burst : Math.min(burst, tokens.left + ((now - tokens.at) * perSecond) / 1_000);
}
