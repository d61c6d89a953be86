// Draws the options of a simulation from one number, and for a share of all seeds, each from a separate random source, rate limits
// and long pauses. A change of this file changes what each seed draws.

import { STORE_FAULT_KINDS } from "@postrider/relay/settings";
import { createSeededRandom } from "@postrider/memory";
import { HOUR_MS } from "@postrider/core/engine";
import { DELIVERY_STEPS, type SimulatedFault, type SimulationOptions } from "./simulation.js";
import { type Dice, createDice } from "./dice.js";
import { addBlockedSpell, addReceiverTroubles, drawReceivers, addStorms } from "./draw-receivers.js";
import { addMeetingFaults, addStoreLatency, addTakeOver } from "./draw-meeting-faults.js";
import { addReplays, addRequests } from "./draw-requests.js";
import { DEFAULT_LOAD } from "./callers.js";

const SECOND_MS = 1_000;

const MINUTE_MS = 60_000;

/** A window shorter than this ends before the faults do. */
const SHORT_WINDOW_MS = 5_000;

const CLOCK_STEP_MS = 5 * 60 * MINUTE_MS;

/** Draws 50 to 52 calls to 3 destinations, a crash, and at least two more faults. */
export function drawSimulation(seed: number): SimulationOptions {
  const requested = addRequests(addLongPause(addRateLimits(drawBasis(seed), seed), seed), seed);
  return addReplays(addStoreLatency(addTakeOver(addMeetingFaults(requested, seed), seed), seed), seed);
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

/** The percentage of simulations with rate limits. */
const LIMITED_PERCENT = 15;

/** The percentage of simulations in which a destination is paused for longer than dead deliveries are kept. */
const PAUSED_PERCENT = 5;

/** Adds rate limits to one or two destinations, and repeats to the load, in `LIMITED_PERCENT` of all simulations. */
function addRateLimits(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x2545f491));
  if (!dice.percent(LIMITED_PERCENT)) return options;
  const ids = Object.keys(options.receivers);
  const drawn = Array.from({ length: dice.whole(1, 2) }, () => dice.pick(ids)).map((id) => [
    id,
    { perSecond: dice.pick([0.5, 1, 2, 5]), burst: dice.pick([1, 2, 5, 10]) },
  ]);
  const rateLimits = Object.fromEntries(drawn) as NonNullable<SimulationOptions["rateLimits"]>;
  const load = { ...(options.load ?? DEFAULT_LOAD), leftOut: 0.3, repeated: dice.pick([0, 0.5, 1]) };
  return { ...options, rateLimits, load };
}

/** Pauses a destination before its first call, in `PAUSED_PERCENT` of all simulations. */
function addLongPause(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x1b873593));
  if (!dice.percent(PAUSED_PERCENT)) return options;
  const deadHours = dice.pick([0.02, 0.1, 0.5]);
  const untilMs = Math.ceil(2 * deadHours * HOUR_MS + dice.whole(60_000, 300_000));
  const pause = { kind: "closed", destination: dice.pick(Object.keys(options.receivers)), how: "paused" } as const;
  const faults = [...(options.faults ?? []), { ...pause, fromMs: 0, untilMs }];
  return { ...options, retention: { deadHours }, faults };
}
