// Decides when a failed delivery gets its next round, by the policy or by a schedule of the host (decisions: schedule, own
// schedules). Delays grow, and jitter only lengthens them. The last round is placed at the end of the retry window, so that
// a receiver that recovers late still gets its message.

import { type EpochMs, epochMs } from "../ids.js";
import {
  CONFIRM_AFTER_MS,
  END_MARGIN_DIVISOR,
  LAST_SLOT_DIVISOR,
  LOCAL_FAULT_MAX_MS,
  MIN_END_MARGIN_MS,
} from "../limits.js";
import type { RetryPolicy } from "./retry-policy.js";
import { askSchedule } from "./ask-schedule.js";
import type { RetryHistory, ScheduleFault } from "./retry-schedule.js";
import { createOptionsError } from "../options-error.js";

/** The due time of a delivery's next round, or the end of its rounds. `fault`: the schedule of the host was not followed. */
type NextRound = (
  | { readonly kind: "due"; readonly dueAt: EpochMs }
  /** No further round fits into the window, or the schedule of the host gives up. */
  | { readonly kind: "expired" }
) & { readonly fault?: ScheduleFault };

/** Two independent draws from [0, 1): one for the delay, one for the instant within the last slot. */
export interface Draws {
  readonly delay: number;
  readonly slot: number;
}

/**
 * Decides the due time of the next round; `now` is the instant of the settlement. Throws an `OptionsError` if a number of the policy is not
 * finite.
 */
export function scheduleRetry(policy: RetryPolicy, history: RetryHistory, draws: Draws, now: EpochMs): NextRound {
  demandNumbers("scheduleRetry", policy, ALL_NUMBERS);
  return place(policy, history, { slotDraw: draws.slot, delay: () => delayOf(policy, history, draws.delay, now) }, now);
}

const DELAY_NUMBERS: readonly PolicyNumber[] = ["firstRetryMs", "maxRetryMs", "growth", "jitter"];

const ALL_NUMBERS: readonly PolicyNumber[] = ["retryWindowMs", ...DELAY_NUMBERS];

/**
 * Decides the due time of the next round of a delivery after its first refusal (decision: refusals). That round tests if the receiver
 * refuses the message or whatever it gets: no schedule of the host is asked.
 */
export function scheduleConfirmation(
  policy: RetryPolicy,
  history: RetryHistory,
  draws: Draws,
  now: EpochMs,
): NextRound {
  const base = Math.max(policy.firstRetryMs, Math.min(policy.maxRetryMs, CONFIRM_AFTER_MS));
  const ms = Math.floor(base + draws.delay * policy.jitter * base);
  return place(policy, history, { slotDraw: draws.slot, delay: () => ({ ms }) }, now);
}

/** The draw for the instant within the last slot, and the decision on the delay: asked only if there is a further round. */
interface Placing {
  readonly slotDraw: number;
  readonly delay: () => Delay;
}

/** Places a round within the window. */
function place(policy: RetryPolicy, history: RetryHistory, placing: Placing, now: EpochMs): NextRound {
  const slot = lastSlot(policy, history.firstAttemptAt);
  if (history.roundStartedAt >= slot.from) return { kind: "expired" };

  const delay = placing.delay();
  if (delay.ms === "give-up") return { kind: "expired" };
  const fault = delay.fault === undefined ? {} : { fault: delay.fault };
  const afterDelay = Math.max(now + delay.ms, history.heldUntil ?? now);
  if (afterDelay < slot.from) return { kind: "due", dueAt: epochMs(afterDelay), ...fault };

  const from = Math.max(slot.from, Math.ceil(now + policy.firstRetryMs));
  if (from > slot.until) return { kind: "expired", ...fault };
  return { kind: "due", dueAt: epochMs(Math.floor(from + placing.slotDraw * (slot.until - from))), ...fault };
}

/** The delay that the schedule of the host decides, or the numbers of the policy. */
interface Delay {
  readonly ms: number | "give-up";
  readonly fault?: ScheduleFault;
}

function delayOf(policy: RetryPolicy, history: RetryHistory, draw: number, now: EpochMs): Delay {
  if (policy.schedule === undefined) return { ms: retryDelay(policy, history.rounds, draw) };
  const windowEndsAt = windowEnd(policy, history.firstAttemptAt);
  const answer = askSchedule(policy.schedule, { attempts: [], ...history, windowEndsAt, now, draw });
  switch (answer.kind) {
    case "delay":
      return { ms: Math.ceil(Math.max(answer.delayMs, policy.firstRetryMs)) };
    case "give-up":
      return { ms: "give-up" };
    case "fault":
      return { ms: retryDelay(policy, history.rounds, draw), fault: answer.fault };
  }
}

/** The delay after `rounds` recorded rounds, without jitter. Whole milliseconds, at least 1. */
export function baseDelay(policy: RetryPolicy, rounds: number): number {
  return Math.ceil(Math.min(policy.maxRetryMs, policy.firstRetryMs * policy.growth ** (rounds - 1)));
}

/**
 * The delay after `rounds` recorded rounds by the numbers of the policy, with jitter by `draw` from [0, 1). Whole milliseconds.
 * Throws an `OptionsError` if a number is not finite.
 */
export function retryDelay(policy: RetryPolicy, rounds: number, draw: number): number {
  demandNumbers("retryDelay", policy, DELAY_NUMBERS);
  const base = baseDelay(policy, rounds);
  return Math.floor(base + draw * policy.jitter * base);
}

/**
 * The longest time from a settlement to the retry, in milliseconds, unless a hold lengthens it; with a schedule of the host,
 * the window. If a delivery is due later than that, the clock was set back after the settlement. Throws an `OptionsError` if a
 * number of the policy is not finite.
 */
export function longestDelay(policy: RetryPolicy): number {
  demandNumbers("longestDelay", policy, ALL_NUMBERS);
  const { slotMs } = slotOf(policy);
  const byNumbersMs = Math.ceil(policy.maxRetryMs * (1 + policy.jitter) + slotMs);
  return Math.max(LOCAL_FAULT_MAX_MS, byNumbersMs, policy.schedule === undefined ? 0 : Math.ceil(policy.retryWindowMs));
}

/** The last slot: the range at the end of the window from which the start of the last round is drawn. */
export function lastSlot(
  policy: RetryPolicy,
  firstAttemptAt: EpochMs,
): { readonly from: EpochMs; readonly until: EpochMs } {
  const { marginMs, slotMs } = slotOf(policy);
  const end = windowEnd(policy, firstAttemptAt);
  return { from: epochMs(Math.ceil(end - slotMs)), until: epochMs(Math.floor(end - marginMs)) };
}

/** The length of the last slot, margin included, and the margin at the end of the window in which no round is placed. */
function slotOf({ retryWindowMs }: RetryPolicy): { readonly marginMs: number; readonly slotMs: number } {
  const marginMs = Math.max(retryWindowMs / END_MARGIN_DIVISOR, MIN_END_MARGIN_MS);
  return { marginMs, slotMs: Math.max(retryWindowMs / LAST_SLOT_DIVISOR, 2 * marginMs) };
}

/**
 * The end of the retry window: the last instant at which an attempt may start (spec, webhook destination §7: 4 hours). Throws an
 * `OptionsError` if the window is not finite.
 */
export function windowEnd(policy: RetryPolicy, firstAttemptAt: EpochMs): EpochMs {
  demandNumbers("windowEnd", policy, ["retryWindowMs"]);
  return epochMs(Math.floor(firstAttemptAt + policy.retryWindowMs));
}

/** The numbers of a policy. */
type PolicyNumber = Exclude<keyof RetryPolicy, "schedule">;

/** Throws an `OptionsError` that names each of these numbers of the policy that is not finite. */
function demandNumbers(functionName: string, policy: RetryPolicy, names: readonly PolicyNumber[]): void {
  if (names.every((name) => Number.isFinite(policy[name]))) return;
  const notFinite = names.filter((name) => !Number.isFinite(policy[name]));
  const problems = notFinite.map((name) => ({ path: `policy.${name}`, expected: "a finite number" }));
  // eslint-disable-next-line no-restricted-syntax -- a bug of the host, not an outcome: see above
  throw createOptionsError(functionName, problems);
}
