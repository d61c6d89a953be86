// Draws faults that meet, for a share of all seeds and from a separate random source: answers of the store that come late, or a
// process that is frozen or stopped at a step, and in the midst of it a clock that steps, or a process that hands over.

import { createSeededRandom } from "@postrider/memory";
import { DEFAULT_LOAD } from "./callers.js";
import { type Dice, createDice } from "./dice.js";
import {
  DELIVERY_STEPS,
  type ServerFault,
  type SimulatedFault,
  type SimulatedServer,
  type SimulationOptions,
} from "./simulation.js";

const SECOND_MS = 1_000;

/** The percentage of simulations in which faults meet. */
const MEETING_PERCENT = 25;

/** The percentage of these in which the store fails as well. */
const FAILING_PERCENT = 30;

/** The longest step of a clock of a machine, and that of one of several servers. */
const CLOCK_STEP_MS = 18_000 * SECOND_MS;
const SERVER_STEP_MS = 600 * SECOND_MS;

/** The longest time between two faults that meet. */
const APART_MS = 10 * SECOND_MS;

/** Adds faults that meet to those of the one machine, in `MEETING_PERCENT` of all simulations. */
export function addMeetingFaults(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x1f83d9ab));
  if (!dice.percent(MEETING_PERCENT)) return options;
  const { retryWindowMs = CLOCK_STEP_MS } = options.policy ?? {};
  const atMs = drawInstant(dice, options);
  // Setting the clock back extends open windows by the same time: short ones would go on for thousands of rounds.
  const meeting = drawMeeting(dice, atMs, {
    aheadMs: CLOCK_STEP_MS,
    backMs: Math.min(CLOCK_STEP_MS, 5 * retryWindowMs),
  });
  const fails: SimulatedFault[] = dice.percent(FAILING_PERCENT) ? [drawFailingStore(dice, atMs)] : [];
  return addFaults(options, [...meeting, ...fails]);
}

/** Adds faults of the machine, or of what several servers share. */
export function addFaults(options: SimulationOptions, added: readonly SimulatedFault[]): SimulationOptions {
  return { ...options, faults: [...(options.faults ?? []), ...added] };
}

/** Adds faults of the machine, or of the server at this place if there are several. */
export function addServerFaults(
  options: SimulationOptions,
  added: readonly ServerFault[],
  place = 0,
): SimulationOptions {
  const { servers } = options;
  if (servers === undefined) return addFaults(options, added);
  const add = (server: SimulatedServer): SimulatedServer => ({
    ...server,
    faults: [...(server.faults ?? []), ...added],
  });
  return { ...options, servers: servers.map((server, index) => (index === place ? add(server) : server)) };
}

/** A store that fails most of the time, so that what follows a step of the clock has to be tried again. */
function drawFailingStore(dice: Dice, atMs: number): SimulatedFault {
  return {
    kind: "store",
    ails: dice.pick(["busy", "unavailable"]),
    fromMs: atMs,
    untilMs: atMs + dice.whole(1, 4 * APART_MS),
  };
}

/** The percentage of simulations in which the store takes longer, so that more happens while an answer is under way. */
const LATENT_PERCENT = 20;

/** Gives the store a longer latency, in `LATENT_PERCENT` of all simulations. */
export function addStoreLatency(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x137e2179));
  return dice.percent(LATENT_PERCENT) ? { ...options, storeLatencyMs: dice.pick([20, 80]) } : options;
}

/** The percentage of simulations with pauses of operators in which another process takes over shortly before one. */
const TAKE_OVER_PERCENT = 50;

/** Has a process take over shortly before the first pause of an operator, and some answers be late meanwhile. */
export function addTakeOver(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x3f84d5b5));
  const [pause] = options.operatorPauses ?? [];
  if (pause === undefined || !dice.percent(TAKE_OVER_PERCENT)) return options;
  const atMs = Math.max(0, pause.fromMs - dice.whole(0, 4 * SECOND_MS));
  const untilMs = pause.fromMs + APART_MS;
  const takeOver: readonly SimulatedFault[] = [
    { kind: "crash", atMs, downMs: dice.size(SECOND_MS) },
    { kind: "late-answers", fromMs: atMs, untilMs, share: 0.5, byMs: dice.pick([2, 8]) * SECOND_MS },
  ];
  return addFaults(options, takeOver);
}

/** Adds faults that meet to those of one of several servers, in `MEETING_PERCENT` of all simulations. */
export function addMeetingServerFaults(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x5be0cd19));
  const { servers = [] } = options;
  if (!dice.percent(MEETING_PERCENT)) return options;
  const hit = dice.whole(0, servers.length - 1);
  const meeting = drawMeeting(dice, drawInstant(dice, options), { aheadMs: SERVER_STEP_MS, backMs: SERVER_STEP_MS });
  return addServerFaults(options, meeting, hit);
}

/** An instant while there is load, and shortly before a pause of an operator if there is one. */
function drawInstant(dice: Dice, { load = DEFAULT_LOAD, operatorPauses: [pause] = [] }: SimulationOptions): number {
  const inLoadMs = dice.whole(0, Math.max(load.overMs, 2 * APART_MS));
  return pause === undefined ? inLoadMs : Math.max(0, pause.fromMs - dice.whole(0, APART_MS));
}

interface LongestSteps {
  readonly aheadMs: number;
  readonly backMs: number;
}

function drawMeeting(dice: Dice, atMs: number, longest: LongestSteps): readonly ServerFault[] {
  const soonMs = (): number => atMs + dice.whole(0, APART_MS);
  const faults: ServerFault[] = [drawOuter(dice, atMs)];
  if (dice.percent(60)) faults.push({ kind: "clock-step", atMs: soonMs(), byMs: drawStep(dice, longest) });
  if (dice.percent(25)) faults.push({ kind: "crash", atMs: soonMs(), downMs: dice.size(SECOND_MS) });
  return faults;
}

function drawOuter(dice: Dice, atMs: number): ServerFault {
  const step = dice.pick(DELIVERY_STEPS);
  switch (dice.pick(["late", "late", "freeze", "stop"] as const)) {
    case "late": {
      const byMs = dice.pick([1, 8, 25]) * SECOND_MS;
      return {
        kind: "late-answers",
        fromMs: atMs,
        untilMs: atMs + dice.whole(1, 2 * APART_MS),
        share: dice.pick([0.1, 0.3, 0.6]),
        byMs,
      };
    }
    case "freeze":
      return { kind: "freeze", atMs, forMs: dice.whole(SECOND_MS, 60 * SECOND_MS), step };
    case "stop":
      return { kind: "stop", atMs, downMs: dice.size(SECOND_MS), step };
  }
}

/** A step of any length: as often a short one as a long one. */
function drawStep(dice: Dice, { aheadMs, backMs }: LongestSteps): number {
  const sign = dice.pick([1, -1]);
  const longestMs = sign > 0 ? aheadMs : backMs;
  return sign * (dice.percent(50) ? dice.size(longestMs) : dice.whole(1, longestMs));
}
