// Draws what hosts and operators ask for while a simulation runs, for a share of all seeds, each from a separate random source: they sync
// audiences, delete users, pause destinations, replay deliveries, change settings and send test events; or a sender dies. A change of this file changes what each seed draws.

import { REGULATIONS } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { createSeededRandom } from "@postrider/memory";
import { DEFAULT_LOAD } from "./callers.js";
import { createDice, type Dice } from "./dice.js";
import { addFaults, addServerFaults } from "./draw-meeting-faults.js";
import type {
  ChangedSettings,
  ServerFault,
  SimulatedAudience,
  SimulatedDeletion,
  SimulatedFault,
  SimulatedReplay,
  SimulationOptions,
} from "./simulation.js";

/** Adds all of them, each to its share of all seeds. */
export function addRequests(options: SimulationOptions, seed: number): SimulationOptions {
  const withUsers = addAudiences(addOperatorPauses(addTransactions(options, seed), seed), seed);
  return addTests(addSettingsChanges(withUsers, seed), seed);
}

/** The percentage of simulations with audiences. */
const AUDIENCES_PERCENT = 10;

/** The time in which requests about users and further crashes begin. */
const AUDIENCES_SPAN_MS = 100_000;

/** Requests are about this many first users, so that several are about the same. */
const USERS_ASKED_ABOUT = 8;

/** Adds one or two audiences, requests about users, and crashes, in `AUDIENCES_PERCENT` of all simulations. */
function addAudiences(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x59f111f1));
  if (!dice.percent(AUDIENCES_PERCENT)) return options;
  const ids = Object.keys(options.receivers);
  const keys = ["buyers", "score"].slice(0, dice.whole(1, 2));
  const audiences = Object.fromEntries(keys.map((key): [string, SimulatedAudience] => [key, drawAudience(dice, ids)]));
  const deletions = Array.from({ length: dice.whole(0, 5) }, () => drawDeletion(dice));
  const crashes = Array.from({ length: dice.whole(1, 3) }, () => drawCrash(dice));
  return { ...addServerFaults(options, crashes), audiences, deletions };
}

function drawAudience(dice: Dice, ids: readonly string[]): SimulatedAudience {
  return {
    kind: dice.pick(["audience", "trait"]),
    sendsAs: dice.pick(["identify", "track"]),
    destinations: [...new Set(Array.from({ length: dice.whole(1, 3) }, () => dice.pick(ids)))],
    users: dice.pick([USERS_ASKED_ABOUT, 25, 50]),
    turnover: dice.pick([0.1, 0.3, 0.6]),
    syncs: dice.whole(2, 6),
    firstAtMs: dice.whole(0, AUDIENCES_SPAN_MS / 5),
    everyMs: dice.pick([5_000, 15_000, 30_000, 300_000]),
    givesWithinMs: dice.pick([0, 0, 30, 1_500]),
  };
}

function drawDeletion(dice: Dice): SimulatedDeletion {
  const users = Array.from({ length: dice.whole(1, 3) }, () => dice.whole(0, USERS_ASKED_ABOUT - 1));
  return { atMs: dice.whole(0, AUDIENCES_SPAN_MS), regulation: dice.pick(REGULATIONS), users: [...new Set(users)] };
}

function drawCrash(dice: Dice): ServerFault {
  const step = dice.pick(["audience-asked", "audience-done", "commit-asked", "commit-done"] as const);
  return { kind: "crash", atMs: dice.whole(0, AUDIENCES_SPAN_MS), downMs: dice.pick([100, 1_000, 10_000]), step };
}

/** The percentage of simulations in which operators pause destinations. */
const OPERATED_PERCENT = 10;

/** Has operators pause one or two destinations for a while, in `OPERATED_PERCENT` of all simulations. */
function addOperatorPauses(options: SimulationOptions, seed: number): SimulationOptions {
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

/** The percentage of simulations in which settings change. */
const CHANGED_PERCENT = 25;

/** The longest time for which a change is in force. */
const LONGEST_CHANGE_MS = 120_000;

/** Changes the settings of destinations one to four times, in `CHANGED_PERCENT` of all simulations. */
function addSettingsChanges(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x9b05688c));
  if (!dice.percent(CHANGED_PERCENT)) return options;
  const changes = Array.from({ length: dice.whole(1, 4) }, () => drawChange(dice, options));
  return addFaults(options, changes);
}

function drawChange(dice: Dice, { receivers, load = DEFAULT_LOAD }: SimulationOptions): SimulatedFault {
  const destination = dice.pick(Object.keys(receivers));
  const fromMs = dice.whole(0, load.overMs);
  const stretch = { fromMs, untilMs: fromMs + dice.size(LONGEST_CHANGE_MS) };
  const places = [...[receivers[destination] ?? []].flat().keys()];
  return { kind: "settings", destination, sets: drawSets(dice, places), ...stretch };
}

function drawSets(dice: Dice, places: readonly number[]): ChangedSettings {
  switch (dice.pick(["receivers", "receivers", "rateLimit", "secret", "is", "is"] as const)) {
    case "receivers": {
      const left = places.filter(() => dice.percent(50));
      return { receivers: left.length > 0 ? left : places.slice(-1) };
    }
    case "rateLimit":
      return { rateLimit: dice.pick([null, { perSecond: dice.pick([1, 2, 5]), burst: dice.pick([1, 2, 5]) }]) };
    case "secret":
      return { secret: `secret-${String(dice.whole(1, 9))}` };
    case "is":
      return { is: dice.pick(["unconnected", "off", "paused", "removed"]) };
  }
}

/** The percentage of simulations with replay jobs. */
const REPLAYED_PERCENT = 40;

/** Starts one to three replay jobs, in `REPLAYED_PERCENT` of all simulations. */
export function addReplays(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x428a2f98));
  if (!dice.percent(REPLAYED_PERCENT)) return options;
  const { receivers, load = DEFAULT_LOAD } = options;
  const replays = Array.from({ length: dice.whole(1, 3) }, (): SimulatedReplay => {
    const states = dice.pick([["delivered"], ["dead"], ["delivered", "dead"]] as const);
    const destination = dice.percent(25) ? undefined : dice.pick(Object.keys(receivers));
    const cancelAfterMs = dice.percent(15) ? dice.whole(0, 2_000) : undefined;
    return { atMs: dice.whole(0, 2 * load.overMs), states, ...defined({ destination, cancelAfterMs }) };
  });
  return { ...options, replays };
}

/** The percentage of simulations in which hosts add calls in transactions, and that of fleets with a server that only accepts. */
const TRANSACTIONS_PERCENT = 15;
const ACCEPTING_PERCENT = 25;

function addTransactions(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x3956c25b));
  const { servers = [] } = options;
  const inTransactions = dice.pick([0.1, 0.5, 1]);
  const hasOutbox = dice.percent(TRANSACTIONS_PERCENT);
  const last = servers.length - 1;
  return {
    ...options,
    ...(hasOutbox && { load: { ...(options.load ?? DEFAULT_LOAD), inTransactions } }),
    ...(last > 0 &&
      dice.percent(ACCEPTING_PERCENT) && {
        servers: servers.map((server, index) => (index === last ? { ...server, delivers: false } : server)),
      }),
  };
}

/** The percentage of simulations with test events, and of those in which a thread that sends dies. */
const TESTED_PERCENT = 15;

function addTests(options: SimulationOptions, seed: number): SimulationOptions {
  const dice = createDice(createSeededRandom(seed ^ 0x71374491));
  const { receivers, load = DEFAULT_LOAD } = options;
  const atMs = (): number => dice.whole(0, load.overMs);
  const tests = Array.from({ length: dice.whole(1, 3) }, () => ({
    atMs: atMs(),
    destination: dice.pick(Object.keys(receivers)),
  }));
  const death = (): ServerFault => ({ kind: "sender", atMs: atMs(), downMs: dice.pick([0, 10, 1_000, 20_000]) });
  const deaths = Array.from({ length: dice.whole(1, 2) }, death);
  const tested = dice.percent(TESTED_PERCENT) ? { ...options, tests } : options;
  return dice.percent(TESTED_PERCENT) ? addServerFaults(tested, deaths) : tested;
}
