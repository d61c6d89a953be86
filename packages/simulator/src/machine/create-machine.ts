// Starts, stops, kills and freezes the processes of a simulation. One process at a time takes calls; a process that
// continues after a freeze also delivers for a while, beside the process that took over.

import type { DestinationId, Workspace } from "@postrider/core";
import { endRests, endHolds } from "../ledger/holds.js";
import { observeDeath, observeFreeze, observeStart, observeThaw } from "../ledger/fleet/claims.js";
import { reportBroken, allowDelays, nameOf, addTraceLine } from "../ledger/ledger.js";
import { forgetStandings } from "../ledger/standings.js";
import { observeOff } from "../ledger/syncs.js";
import { type ProcessParts, type Process, startProcess } from "./process.js";

/** The receiver of the calls of a simulation: a machine, or several servers. */
export interface Servers {
  /** A process that takes calls. */
  running(): Process | undefined;
  /** True if this process takes calls. */
  runs(process: Process): boolean;
  /** Starts a process, unless one takes calls: on each server, if there are several. */
  boot(): void;
  /** Stops all processes; none starts after that. Resolves once all have ended, which takes simulated time. */
  end(): Promise<void>;
  /**
   * Closes a destination, or opens it again, for the processes that take calls and for those that start or continue
   * later.
   */
  setClosed(destination: string, how: "off" | "paused", isClosed: boolean): void;
  /** For how long after a fault no delivery has to be prompt. */
  readonly graceMs: number;
}

export interface Machine extends Servers {
  /** Kills the process of this number or, if no number is given, the process that takes calls. */
  crash(process?: number): void;
  /** Stops the process that takes calls, as an operator would. Resolves once it is gone. */
  stop(): Promise<void>;
  /** Freezes the process that takes calls for `forMs`; a new process takes over. */
  freeze(forMs: number): void;
}

/** The time for which a process continues after a freeze, beside the process that took over, before it is stopped. */
const BESIDE_MS = 20_000;

export function createMachine(parts: ProcessParts, first: Workspace): Machine {
  const { clock, ledger, pollMs } = parts;
  const { leaseMs, timeoutMs } = first.delivery;
  const graceMs = pollMs + leaseMs + 5_000;
  const closings: string[] = [];
  const beside = new Set<Process>();
  let workspace = first;
  let current: Process | undefined;
  let isOver = false;

  function boot(): void {
    if (current !== undefined || isOver) return;
    ledger.processes += 1;
    addTraceLine(ledger, `process ${String(ledger.processes)} starts`);
    // The first start is no fault: nothing can be late yet.
    if (ledger.processes > 1) allowDelays(ledger, graceMs);
    current = startProcess(parts, workspace, ledger.processes);
    observeStart(ledger, current.number);
  }

  function crash(killed = current?.number): void {
    for (const process of [current, ...beside]) {
      if (process === undefined || process.number !== killed) continue;
      addTraceLine(ledger, `process ${String(killed)} crashes`);
      process.ports.kill();
      endHolds(ledger, process.number);
      forgetStandings(ledger, process.number);
      observeDeath(ledger, process.number);
      beside.delete(process);
      if (process === current) current = undefined;
      allowDelays(ledger, graceMs);
    }
  }

  async function stop(process: Process | undefined): Promise<void> {
    if (process === undefined) return;
    addTraceLine(ledger, `process ${String(process.number)} stops`);
    const beganAt = clock.monotonic();
    clock.after(2 * (leaseMs + timeoutMs), () => {
      if (process !== current && !beside.has(process)) return;
      if (ledger.promptFrom <= beganAt)
        reportBroken(ledger, "stop-settles", `process ${String(process.number)} does not stop`);
      crash(process.number);
    });
    await process.relay.stop();
    if (ledger.promptFrom <= beganAt) checkStopped(parts, process);
    crash(process.number);
  }

  function freeze(forMs: number): void {
    const frozen = current;
    if (frozen === undefined) return;
    addTraceLine(ledger, `process ${String(frozen.number)} stands still`);
    frozen.ports.freeze();
    ledger.isTimeUneven = true;
    endHolds(ledger, frozen.number);
    observeFreeze(ledger, frozen.number);
    beside.add(frozen);
    current = undefined;
    boot();
    clock.after(forMs, () => {
      if (!beside.has(frozen)) return;
      addTraceLine(ledger, `process ${String(frozen.number)} goes on`);
      // Deliveries that fell due while no process ran may be late: this process is not at fault.
      if (current === undefined) allowDelays(ledger, graceMs);
      observeThaw(ledger);
      frozen.ports.thaw();
      configure(frozen);
      clock.after(BESIDE_MS, () => {
        if (beside.has(frozen)) void stop(frozen);
      });
    });
  }

  function configure(process: Process): void {
    process.relay.configure(workspace).match(nothing, nothing);
    endRests(ledger, process.number);
  }

  async function end(): Promise<void> {
    isOver = true;
    await Promise.all([current, ...beside].map((process) => stop(process)));
  }

  return {
    running: () => current,
    runs: (process) => process === current,
    boot,
    crash,
    stop: () => stop(current),
    end,
    freeze,
    setClosed: (destination, how, isClosed): void => {
      if (isClosed) closings.push(`${how} ${destination}`);
      else closings.splice(closings.indexOf(`${how} ${destination}`), 1);
      workspace = closeIn(first, closings);
      observeOff(ledger, new Set(workspace.destinations.filter(({ enabled }) => !enabled).map(({ id }) => id)));
      allowDelays(ledger, graceMs);
      addTraceLine(ledger, `closed: ${closings.join(", ")}`);
      if (current !== undefined) configure(current);
    },
    graceMs,
  };
}

function closeIn(workspace: Workspace, closings: readonly string[]): Workspace {
  const is = (how: string, id: DestinationId): boolean => closings.includes(`${how} ${id}`);
  const destinations = workspace.destinations.map((one) => ({
    ...one,
    enabled: !is("off", one.id),
    paused: is("paused", one.id),
  }));
  return { ...workspace, destinations };
}

/** Reports each delivery that a stopped process left claimed. To be called only if there was no fault. */
function checkStopped({ ledger }: ProcessParts, { number }: Process): void {
  for (const delivery of ledger.deliveries.values()) {
    // If a commit got no answer, no process knows the deliveries that it stored as claimed.
    if (delivery.state !== "claimed" || delivery.token === undefined || !delivery.isOut) continue;
    if (ledger.holders.get(delivery.token) !== number) continue;
    reportBroken(ledger, "stop-settles", `${nameOf(delivery)} is left claimed by process ${String(number)}`);
  }
}

function nothing(): void {
  // These settings cannot be refused: they are those of the start, with some destinations closed.
}
