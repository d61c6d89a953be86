// Draws, for a share of all seeds, what few installations have: rate limits with callers that repeat themselves, a
// destination that is paused for longer than dead deliveries are kept, and pauses of operators. Each share has a separate random source, so that the
// other values of a seed stay.

import { HOUR_MS } from "@postrider/core/engine";
import { createSeededRandom } from "@postrider/memory";
import { createDice } from "./dice.js";
import { DEFAULT_LOAD } from "./callers.js";
import type { SimulationOptions } from "./simulation.js";

/** The percentage of simulations with rate limits. */
const LIMITED_PERCENT = 15;
/** The percentage of simulations in which a destination is paused for longer than dead deliveries are kept. */
const PAUSED_PERCENT = 5;
/** The percentage of simulations in which operators pause destinations. */
const OPERATED_PERCENT = 10;

/** Adds rate limits to one or two destinations, and repeats to the load, in `LIMITED_PERCENT` of all simulations. */
export function addRateLimits(options: SimulationOptions, seed: number): SimulationOptions {
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
export function addLongPause(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x1b873593));
  if (!dice.percent(PAUSED_PERCENT)) return options;
  const deadHours = dice.pick([0.02, 0.1, 0.5]);
  const untilMs = Math.ceil(2 * deadHours * HOUR_MS + dice.whole(60_000, 300_000));
  const pause = { kind: "closed", destination: dice.pick(Object.keys(options.receivers)), how: "paused" } as const;
  const faults = [...(options.faults ?? []), { ...pause, fromMs: 0, untilMs }];
  return { ...options, retention: { deadHours }, faults };
}

/** Has operators pause one or two destinations for a while, in `OPERATED_PERCENT` of all simulations. */
export function addOperatorPauses(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x3c6ef372));
  if (!dice.percent(OPERATED_PERCENT)) return options;
  const { overMs } = options.load ?? DEFAULT_LOAD;
  const ids = Object.keys(options.receivers).slice(0, dice.whole(1, 2));
  const operatorPauses = ids.map((destination) => {
    const fromMs = dice.whole(0, overMs);
    return { destination, fromMs, untilMs: fromMs + dice.whole(1, overMs) };
  });
  return { ...options, operatorPauses };
}
