// Several servers on one store: each is a machine with a separate clock, which may be off, drift and be stepped, and
// separate faults. Calls and requests go to any of those that run, as a load balancer does.

import { type Random, type Workspace, type Clock, epochMs } from "@postrider/core";
import { createMachine, type Machine, type Servers } from "./machine/create-machine.js";
import type { Process, ProcessParts } from "./machine/process.js";
import { type ActiveTroubles, createTroubles } from "./machine/active-troubles.js";
import { scheduleFaults } from "./schedule-faults.js";
import type { SimulatedServer } from "./simulation.js";

/** By how much each server learns of a change of the settings later than the one before it. */
const LEARNS_AFTER_MS = 700;

interface ServersOptions {
  /** The clock among them tells the true time. */
  readonly parts: ProcessParts;
  readonly workspace: Workspace;
  readonly servers: readonly SimulatedServer[];
  /** Chooses the server that gets a call. */
  readonly random: Random;
}

/** Creates the servers and sets the timers for their faults; `boot` starts them. */
export function createServers({ parts, workspace, servers, random }: ServersOptions): Servers {
  const machines = servers.map((server) => createServer(parts, workspace, server));

  function pick(): Process | undefined {
    const alive = machines.flatMap((machine) => machine.running() ?? []);
    return alive[Math.floor(random.unit() * alive.length)];
  }

  return {
    running: pick,
    runs: (process) => machines.some((machine) => machine.runs(process)),
    boot: (): void => {
      for (const machine of machines) machine.boot();
    },
    end: async (): Promise<void> => {
      await Promise.all(machines.map((machine) => machine.end()));
    },
    change: (change, isInForce): void => {
      for (const [index, machine] of machines.entries())
        parts.clock.after(index * LEARNS_AFTER_MS, () => machine.change(change, isInForce));
    },
    graceMs: Math.max(...machines.map(({ graceMs }) => graceMs)),
  };
}

function createServer(parts: ProcessParts, workspace: Workspace, server: SimulatedServer): Machine {
  const { ledger } = parts;
  const clock = createServerClock(parts.clock, server);
  // The ailments are those of the store, which all share; a crash is of this server.
  const troubles: ActiveTroubles = { ...createTroubles(parts.troubles.latencyMs), ailments: parts.troubles.ailments };
  const { delivers = true } = server;
  const machine = createMachine({ ...parts, clock, troubles, delivers }, workspace);
  scheduleFaults({ clock, ledger, machine, troubles, stepWall: clock.stepWall }, server.faults ?? []);
  return machine;
}

interface ServerClock extends Clock {
  /** Steps the wall clock of this server alone. */
  readonly stepWall: (ms: number) => void;
}

function createServerClock(trueClock: Clock, { aheadMs = 0, driftPpm = 0 }: SimulatedServer): ServerClock {
  let offMs = aheadMs;
  return {
    wall: () => epochMs(Math.floor(trueClock.wall() + offMs + (trueClock.monotonic() * driftPpm) / 1_000_000)),
    monotonic: () => trueClock.monotonic(),
    after: (delayMs, wake) => trueClock.after(delayMs, wake),
    stepWall: (ms): void => {
      offMs += ms;
    },
  };
}
