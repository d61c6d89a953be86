// Draws the options of a simulation with several servers on one store from one number. Its random source is not that of
// `drawSimulation`, whose seeds draw the same as before. A change of this file changes what each seed draws.

import { STORE_FAULT_KINDS } from "@postrider/relay/settings";
import { createSeededRandom } from "@postrider/memory";
import { type Dice, createDice } from "./dice.js";
import { addMeetingServerFaults } from "./draw-meeting-faults.js";
import { addReplays, addRequests } from "./draw-requests.js";
import { drawReceivers, addStorms } from "./draw-receivers.js";
import {
  DELIVERY_STEPS,
  type ServerFault,
  type SimulatedFault,
  type SimulatedServer,
  type SimulationOptions,
} from "./simulation.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** The most by which a clock is off, drifts and steps. */
const MAX_AHEAD_MS = 90 * SECOND_MS;
const MAX_DRIFT_PPM = 100;
const MAX_STEP_MS = 10 * MINUTE_MS;

/** The choices that `drawFleet` does not leave to chance. */
interface FleetChoice {
  /** The number of servers, from 1 to 8; 1 to 4 by chance if left out. */
  readonly servers?: number;
}

/**
 * Draws 60 to 240 calls to 3 destinations and 1 to 4 servers, each with a clock that is off by up to 90 s, drifts, and may
 * step. Each may crash while the others go on, and at least one does.
 */
export function drawFleet(seed: number, choice: FleetChoice = {}): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x6a09e667));
  const serverCount = dice.whole(1, 4);
  const spanMs = dice.whole(30, 120) * SECOND_MS;
  const drawn = drawReceivers(dice, { spanMs, hasLastingFailures: false });
  const receivers = addStorms(drawn, seed, { spanMs, hasLastingStorms: false });
  const options: SimulationOptions = {
    seed,
    policy: drawPolicy(dice),
    receivers,
    ...drawRateLimits(dice, Object.keys(receivers)),
    load: {
      calls: dice.whole(60, 240),
      overMs: spanMs,
      perArrival: dice.pick([1, 8, 25, 50]),
      leftOut: dice.pick([0, 0.3, 0.6]),
      repeated: dice.pick([0, 0, 0.2]),
    },
    faults: Array.from({ length: dice.pick([0, 0, 1, 2]) }, () => drawStoreFault(dice, spanMs)),
    servers: Array.from({ length: choice.servers ?? serverCount }, (_, index) => drawServer(dice, spanMs, index === 0)),
  };
  return addReplays(addRequests(addMeetingServerFaults(options, seed), seed), seed);
}

function drawPolicy(dice: Dice): NonNullable<SimulationOptions["policy"]> {
  const timeoutMs = dice.pick([500, 1_000, 5_000]);
  const retryWindowMs = dice.pick([dice.whole(30, 120) * SECOND_MS, dice.whole(5, 60) * MINUTE_MS, 240 * MINUTE_MS]);
  const firstRetryMs = Math.min(5_000, Math.floor(retryWindowMs / dice.whole(10, 100)));
  return {
    timeoutMs,
    leaseMs: timeoutMs + dice.pick([5_000, 10_000, 25_000]),
    retryWindowMs,
    firstRetryMs,
    maxRetryMs: Math.max(firstRetryMs, Math.floor(retryWindowMs / dice.whole(8, 16))),
  };
}

/** One destination in three fleets has a rate limit. */
function drawRateLimits(dice: Dice, ids: readonly string[]): Pick<SimulationOptions, "rateLimits"> {
  const limit = { perSecond: dice.pick([0.5, 1, 2, 5]), burst: dice.pick([1, 2, 5, 10]) };
  const id = dice.pick(ids);
  return dice.percent(33) ? { rateLimits: { [id]: limit } } : {};
}

function drawStoreFault(dice: Dice, spanMs: number): SimulatedFault {
  const fromMs = dice.whole(0, spanMs);
  return { kind: "store", ails: dice.pick(STORE_FAULT_KINDS), fromMs, untilMs: fromMs + dice.whole(1, 20_000) };
}

function drawServer(dice: Dice, spanMs: number, mustCrash: boolean): SimulatedServer {
  const faults: ServerFault[] = [];
  const atMs = (): number => dice.whole(0, spanMs);
  if (dice.percent(60) || mustCrash)
    faults.push({ kind: "crash", atMs: atMs(), downMs: dice.size(MINUTE_MS), step: dice.pick(DELIVERY_STEPS) });
  if (dice.percent(20)) faults.push({ kind: "stop", atMs: atMs(), downMs: dice.size(MINUTE_MS) });
  if (dice.percent(20)) faults.push({ kind: "freeze", atMs: atMs(), forMs: dice.size(MINUTE_MS) });
  if (dice.percent(30))
    faults.push({ kind: "clock-step", atMs: atMs(), byMs: dice.pick([1, -1]) * dice.size(MAX_STEP_MS) });
  return {
    aheadMs: dice.whole(-MAX_AHEAD_MS, MAX_AHEAD_MS),
    driftPpm: dice.whole(-MAX_DRIFT_PPM, MAX_DRIFT_PPM),
    faults,
  };
}
