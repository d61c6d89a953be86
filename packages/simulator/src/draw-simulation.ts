// Draws the options of a simulation from one number: a policy, receivers with outages, callers, and faults of every
// kind. A change of this file changes what each seed draws. Over thousands of seeds, every situation occurs for which
// there is a check.

import { STORE_FAULT_KINDS } from "@postrider/codec";
import { createSeededRandom } from "@postrider/memory";
import { DELIVERY_STEPS, type SimulatedFault, type SimulationOptions } from "./simulation.js";
import { type Dice, createDice } from "./dice.js";
import { addAudiences } from "./draw-audiences.js";
import { addLongPause, addOperatorPauses, addRateLimits } from "./draw-limits.js";
import { addBlockedSpell, addReceiverTroubles, drawReceivers } from "./draw-receivers.js";
import { addStorms } from "./draw-storms.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** A window shorter than this ends before the faults do. */
const SHORT_WINDOW_MS = 5_000;
const CLOCK_STEP_MS = 5 * 60 * MINUTE_MS;

/** Draws 50 to 52 calls to 3 destinations, a crash, and at least two more faults. */
export function drawSimulation(seed: number): SimulationOptions {
  return addAudiences(addOperatorPauses(addLongPause(addRateLimits(drawBasis(seed), seed), seed), seed), seed);
}

function drawBasis(seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed));
  const policy = drawPolicy(dice);
  const spanMs = dice.whole(10, 30) * 4 * SECOND_MS;
  const isShort = policy.retryWindowMs < SHORT_WINDOW_MS;
  const calls = dice.whole(50, 52);
  const drawn = addReceiverTroubles(drawReceivers(dice, { spanMs, hasLastingFailures: isShort }), seed);
  const receivers = addStorms(drawn, seed, { spanMs, hasLastingStorms: true });
  return {
    seed,
    policy,
    receivers: addBlockedSpell(receivers, seed, spanMs),
    load: {
      calls,
      overMs: dice.whole(1, spanMs),
      perArrival: dice.pick([1, 8, 12, 16, 25]),
      leftOut: dice.pick([0.6, 0.65, 0.7]),
    },
    faults: [
      { kind: "crash", atMs: dice.whole(0, spanMs), downMs: dice.size(5 * MINUTE_MS), step: dice.pick(DELIVERY_STEPS) },
      // This stop comes in the first quarter, when in most runs no other fault has happened yet.
      ...(dice.percent(35) ? [{ kind: "stop", atMs: dice.whole(0, spanMs / 4), downMs: 10 } as const] : []),
      // A slow store delays claims, so that some come at the very end of a short window.
      ...(isShort ? [{ kind: "store", ails: "slow", fromMs: 0, untilMs: spanMs } as const] : []),
      ...Array.from({ length: dice.whole(2, 4) }, () => drawFault(dice, spanMs, policy)),
    ],
  };
}

type DrawnPolicy = Required<
  Pick<
    NonNullable<SimulationOptions["policy"]>,
    "timeoutMs" | "leaseMs" | "retryWindowMs" | "firstRetryMs" | "maxRetryMs"
  >
>;

/**
 * Draws a policy with a window from 0.2 seconds to the four hours of the spec. Rounds often fall on the edge of a short
 * window.
 */
function drawPolicy(dice: Dice): DrawnPolicy {
  const timeoutMs = dice.pick([500, 1_000, 5_000]);
  const retryWindowMs = dice.pick([
    dice.whole(200, 2_000),
    dice.whole(20, 120) * SECOND_MS,
    dice.whole(5, 60) * MINUTE_MS,
    240 * MINUTE_MS,
  ]);
  const firstRetryMs = Math.min(5_000, Math.max(20, Math.floor(retryWindowMs / dice.whole(10, 100))));
  return {
    timeoutMs,
    leaseMs: timeoutMs + dice.pick([5_000, 10_000, 25_000]),
    retryWindowMs,
    firstRetryMs,
    maxRetryMs: Math.max(firstRetryMs, Math.floor(retryWindowMs / dice.whole(8, 16))),
  };
}

function drawFault(dice: Dice, spanMs: number, { retryWindowMs }: DrawnPolicy): SimulatedFault {
  const atMs = dice.whole(0, spanMs);
  const stretch = { fromMs: atMs, untilMs: atMs + dice.whole(1, 20_000) };
  switch (dice.pick(["crash", "stop", "freeze", "clock-step", "store", "store", "closed"] as const)) {
    case "crash":
      return { kind: "crash", atMs, downMs: dice.size(MINUTE_MS) };
    case "stop":
      return { kind: "stop", atMs, downMs: dice.size(MINUTE_MS) };
    case "freeze":
      return { kind: "freeze", atMs, forMs: dice.size(MINUTE_MS) };
    case "clock-step":
      // Setting the clock back extends open windows by the same time: short ones would go on for thousands of rounds.
      return dice.percent(50)
        ? { kind: "clock-step", atMs, byMs: dice.size(CLOCK_STEP_MS) }
        : { kind: "clock-step", atMs, byMs: -dice.size(Math.min(CLOCK_STEP_MS, 5 * retryWindowMs)) };
    case "store":
      return { kind: "store", ails: dice.pick(STORE_FAULT_KINDS), ...stretch };
    case "closed":
      return { kind: "closed", destination: dice.pick(["a", "b", "c"]), how: dice.pick(["off", "paused"]), ...stretch };
  }
}
