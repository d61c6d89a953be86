// Sets up all that a simulation plays with: store, receivers, machine or servers, callers and hosts, each with a
// separate random source, and the timers for all faults. Between two timers, it waits only for promises.

import { type DeliveryStore, epochMs, type Workspace, type DeliveryPolicy } from "@postrider/core";
import { defined, watchPolicy } from "@postrider/core/engine";
import {
  beginMemoryTransaction,
  createManualClock,
  createMemoryAudienceStore,
  createMemoryDisk,
  createMemoryStore,
  createSeededRandom,
  type ManualClock,
  type MemoryDisk,
} from "@postrider/memory";
import { type AudienceHosts, startAudienceHosts } from "./audience-hosts.js";
import { buildSimulatedWorkspace, receiversByEndpoint } from "./build-workspace.js";
import { type Callers, type HostOutbox, startCallers } from "./callers.js";
import { createLedger, type Ledger } from "./ledger/ledger.js";
import { adjustToClockStep } from "./ledger/move.js";
import { createTroubles } from "./machine/active-troubles.js";
import { createMachine, type Servers } from "./machine/create-machine.js";
import type { ProcessParts } from "./machine/process.js";
import { type Operators, startOperators } from "./operators.js";
import { createReceiversHttp } from "./receivers-http.js";
import { isShared, scheduleFaults, scheduleShared } from "./schedule-faults.js";
import { createServers } from "./servers.js";
import type { SimulationOptions } from "./simulation.js";

type SharedParts = ProcessParts & { readonly clock: ManualClock };

export interface Stage {
  readonly options: SimulationOptions;
  readonly parts: SharedParts;
  readonly ledger: Ledger;
  readonly machine: Servers;
  readonly callers: Callers;
  readonly hosts: AudienceHosts;
  readonly operators: Operators;
  readonly workspace: Workspace;
}

export function setStage(options: SimulationOptions): Stage {
  const { seed = 1, wallAtStart, servers } = options;
  const workspace = buildSimulatedWorkspace(options);
  const wall = wallAtStart === undefined ? undefined : epochMs(wallAtStart);
  const clock = createManualClock(defined({ wall, settle: createSettle() }));
  const ledger = createLedger(clock, workspace.delivery, {
    destinations: workspace.destinations.map(({ id }) => id),
    pollMs: pollMsFor(workspace.delivery.retryWindowMs),
    hasServers: servers !== undefined,
  });
  const disk = createMemoryDisk();
  const chance = createSeededRandom(seed);
  const draw = (): ReturnType<typeof createSeededRandom> => createSeededRandom(Math.floor(chance.unit() * 2 ** 32));
  const parts = {
    clock,
    random: draw(),
    ledger,
    troubles: createTroubles(options.storeLatencyMs),
    http: createReceiversHttp({ clock, random: draw(), byEndpoint: receiversByEndpoint(options) }),
    pollMs: ledger.pollMs,
    openStore: () => openStore(disk, options, clock),
    ...(options.audiences && { openAudiences: () => createMemoryAudienceStore({ disk }) }),
  };
  const watchedWorkspace = { ...workspace, delivery: withWatchedSchedule(workspace.delivery, ledger) };
  const { machine, schedule } =
    servers === undefined
      ? createOneMachine(parts, watchedWorkspace)
      : createManyServers(parts, watchedWorkspace, options);
  machine.boot();
  const callers = startCallers({ clock, random: draw(), ledger, machine, outbox: openOutbox(disk), options });
  const operators = startOperators({ clock, ledger, machine, options, openStore: parts.openStore });
  const hosts = startAudienceHosts({ clock, random: draw(), ledger, machine, options });
  schedule(options);
  return { options, parts, ledger, machine, callers, hosts, operators, workspace };
}

interface StagedServers {
  readonly machine: Servers;
  /** Sets the timers for the `faults` of the options. */
  readonly schedule: (options: SimulationOptions) => void;
}

/** One machine, whose wall clock is the true one even when it is set: the ledger follows its steps. */
function createOneMachine(parts: SharedParts, workspace: Workspace): StagedServers {
  const { clock, ledger, troubles } = parts;
  const machine = createMachine(parts, workspace);
  const stepWall = (byMs: number): void => {
    adjustToClockStep(ledger, byMs);
    clock.stepWall(byMs);
  };
  return {
    machine,
    schedule: ({ faults = [] }) => scheduleFaults({ clock, ledger, machine, troubles, stepWall }, faults),
  };
}

/** Several servers, whose own faults are scheduled already. */
function createManyServers(
  parts: SharedParts,
  workspace: Workspace,
  { servers = [], seed = 1 }: SimulationOptions,
): StagedServers {
  const { clock, ledger, troubles } = parts;
  const machine = createServers({ parts, workspace, servers, random: createSeededRandom(~seed) });
  return {
    machine,
    schedule: ({ faults = [] }): void => {
      for (const fault of faults.filter(isShared)) scheduleShared({ clock, ledger, machine, troubles }, fault);
    },
  };
}

/**
 * Requests about users are played only with audiences, and the store has records only where operators pause lanes or replay, and an
 * outbox where hosts use it. A store of several servers tells the true time and which lanes have changed, and has a board and hints.
 */
function openStore(disk: MemoryDisk, options: SimulationOptions, clock: ManualClock): DeliveryStore {
  const { audiences, operatorPauses, replays, servers, load } = options;
  const outbox = (load?.inTransactions ?? 0) > 0;
  const store = createMemoryStore({ disk, outbox, ...(servers && { clock, shared: true, hints: true }) });
  const { deletions, records, laneChanges } = store;
  return {
    ...withoutParts(store),
    ...(audiences && defined({ deletions })),
    ...((operatorPauses ?? replays) && defined({ records })),
    ...(servers && defined({ laneChanges })),
  };
}

/** The outbox of the disk, as hosts use it: their transactions fail with no server. */
function openOutbox(disk: MemoryDisk): HostOutbox {
  const { outbox } = createMemoryStore({ disk, outbox: true });
  const add: HostOutbox["add"] = (call, run) => outbox?.add(call, run) ?? Promise.resolve();
  return { add, begin: () => beginMemoryTransaction(disk) };
}

function withoutParts({
  deletions: _deletions,
  records: _records,
  laneChanges: _changes,
  ...store
}: DeliveryStore): DeliveryStore {
  return store;
}

/** The time between polls: idle time costs little, and a delivery that only a poll finds is late. */
function pollMsFor(retryWindowMs: number): number {
  return Math.min(60_000, Math.max(10_000, retryWindowMs / 40));
}

/** The policy, with a schedule that notes its mistakes, the first of each kind, and how often it gives up. */
function withWatchedSchedule(
  policy: DeliveryPolicy,
  ledger: Pick<Ledger, "giveUps" | "scheduleMistakes">,
): DeliveryPolicy {
  const watched = watchPolicy(policy, ({ kind, text }) => {
    if (!ledger.scheduleMistakes.has(kind)) ledger.scheduleMistakes.set(kind, text);
  });
  const { schedule } = watched;
  if (schedule === undefined) return policy;
  return {
    ...watched,
    schedule: {
      name: schedule.name,
      next: (failure) => {
        const answer = schedule.next(failure);
        if (answer === "give-up") ledger.giveUps += 1;
        return answer;
      },
    },
  };
}

/** The part of Node's `process` that is used. A task runs once the queue of microtasks is empty. */
declare const process: { readonly nextTick?: (task: () => void) => void } | undefined;

declare const setImmediate: (task: () => void) => unknown;

/** After this many waits, one takes a turn of the event loop, so that other work of the program is not held up. */
const WAITS_PER_TURN = 64;

/** Returns the wait of a manual clock for the promises between two timers; undefined on a runtime without `nextTick`. */
export function createSettle(): (() => Promise<void>) | undefined {
  if (typeof process === "undefined" || process.nextTick === undefined) return undefined;
  const { nextTick } = process;
  let waits = 0;
  return () => {
    waits += 1;
    const start = waits % WAITS_PER_TURN === 0 ? setImmediate : nextTick;
    return new Promise((resolve) => {
      start(resolve);
    });
  };
}
