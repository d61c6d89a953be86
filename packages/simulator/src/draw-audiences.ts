// Draws audiences, requests about their users and crashes in the middle of syncs, for a share of all seeds. It has a separate
// random source, so that the other values of a seed stay.

import { REGULATIONS } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import { type Dice, createDice } from "./dice.js";
import type { SimulatedAudience, SimulatedDeletion } from "./simulated-audience.js";
import type { SimulatedFault, SimulationOptions } from "./simulation.js";

/** The percentage of simulations with audiences. */
const AUDIENCES_PERCENT = 10;
const SPAN_MS = 100_000;
/** Requests are about these first users, so that several are about the same. */
const ASKED_ABOUT = 8;

/** Adds one or two audiences, requests about users, and crashes, in `AUDIENCES_PERCENT` of all simulations. */
export function addAudiences(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x59f111f1));
  if (!dice.percent(AUDIENCES_PERCENT)) return options;
  const ids = Object.keys(options.receivers);
  const keys = ["buyers", "score"].slice(0, dice.whole(1, 2));
  const audiences = Object.fromEntries(keys.map((key): [string, SimulatedAudience] => [key, drawAudience(dice, ids)]));
  const deletions = Array.from({ length: dice.whole(0, 5) }, () => drawDeletion(dice));
  const crashes = Array.from({ length: dice.whole(1, 3) }, () => drawCrash(dice));
  return { ...options, audiences, deletions, faults: [...(options.faults ?? []), ...crashes] };
}

function drawAudience(dice: Dice, ids: readonly string[]): SimulatedAudience {
  return {
    kind: dice.pick(["audience", "trait"]),
    sendsAs: dice.pick(["identify", "track"]),
    destinations: [...new Set(Array.from({ length: dice.whole(1, 3) }, () => dice.pick(ids)))],
    users: dice.pick([ASKED_ABOUT, 25, 50]),
    turnover: dice.pick([0.1, 0.3, 0.6]),
    syncs: dice.whole(2, 6),
    firstAtMs: dice.whole(0, SPAN_MS / 5),
    everyMs: dice.pick([5_000, 15_000, 30_000, 300_000]),
    givesWithinMs: dice.pick([0, 0, 30, 1_500]),
  };
}

function drawDeletion(dice: Dice): SimulatedDeletion {
  const users = Array.from({ length: dice.whole(1, 3) }, () => dice.whole(0, ASKED_ABOUT - 1));
  return { atMs: dice.whole(0, SPAN_MS), regulation: dice.pick(REGULATIONS), users: [...new Set(users)] };
}

function drawCrash(dice: Dice): SimulatedFault {
  const step = dice.pick(["audience-asked", "audience-done", "commit-asked", "commit-done"] as const);
  return { kind: "crash", atMs: dice.whole(0, SPAN_MS), downMs: dice.pick([100, 1_000, 10_000]), step };
}
