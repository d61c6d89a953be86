// Starts, stops, kills and freezes the processes of a simulation. One process at a time takes calls; a process that
// continues after a freeze also delivers for a while, beside the process that took over.

import type { Workspace } from "@postrider/core";
import { endRests, endHolds } from "../ledger/holds.js";
import { observeDeath, observeFreeze, observeStart, observeThaw } from "../ledger/fleet/claims.js";
import { reportBroken, allowDelays, nameOf, addHistoryLine } from "../ledger/ledger.js";
import { forgetStandings } from "../ledger/standings.js";
import { observeSettings } from "../ledger/settings.js";
import { changeSettings } from "../settings-changes.js";
import type { SimulatedChange } from "../simulation.js";
import { type ProcessParts, type Process, startProcess } from "./process.js";

/** Takes the calls of a simulation: a machine, or several servers. */
export interface Servers {
  /** A process that takes calls. */
  running(): Process | undefined;
  /** True if this process takes calls. */
  runs(process: Process): boolean;
  /** Starts a process, unless one takes calls: on each server, if there are several. */
  boot(): void;
  /** Stops all processes; none starts after that. Resolves once all have ended, which takes simulated time. */
  end(): Promise<void>;
  /** Puts a change of the settings into force, or ends it: for the processes that take calls, and those that start or continue later. */
  change(change: SimulatedChange, isInForce: boolean): void;
  /** For how long after a fault no delivery has to be prompt. */
  readonly graceMs: number;
}

export interface Machine extends Servers {
  /** Kills the process of this number or, if no number is given, the process that takes calls. */
  crash(process?: number): void;
  /** Stops the process that takes calls, as an operator would. Resolves once it is gone. */
  stop(): Promise<void>;
  /** Kills the thread by which the process that takes calls sends its requests; another one runs after `downMs`. */
  killSender(downMs: number): void;
  /** Freezes the process that takes calls for `forMs`; a new process takes over. */
  freeze(forMs: number): void;
}

/** The time for which a process continues after a freeze, beside the process that took over, before it is stopped. */
const BESIDE_MS = 20_000;

export function createMachine(parts: ProcessParts, firstWorkspace: Workspace): Machine {
  const { clock, ledger, pollMs } = parts;
  const { leaseMs, timeoutMs } = firstWorkspace.delivery;
  const graceMs = pollMs + leaseMs + 5_000;
  const changes: SimulatedChange[] = [];
  /** Frozen processes, and those that have continued after a freeze. */
  const otherProcesses = new Set<Process>();
  let workspace = firstWorkspace;
  let currentProcess: Process | undefined;
  let hasEnded = false;

  function boot(): void {
    if (currentProcess !== undefined || hasEnded) return;
    ledger.processes += 1;
    addHistoryLine(ledger, `process ${String(ledger.processes)} starts`);
    // The first start is no fault: nothing can be late yet.
    if (ledger.processes > 1) allowDelays(ledger, graceMs);
    currentProcess = startProcess(parts, workspace, ledger.processes);
    observeStart(ledger, currentProcess.number);
  }

  function crash(number = currentProcess?.number): void {
    for (const process of [currentProcess, ...otherProcesses]) {
      if (process === undefined || process.number !== number) continue;
      addHistoryLine(ledger, `process ${String(number)} crashes`);
      process.ports.kill();
      endHolds(ledger, process.number);
      forgetStandings(ledger, process.number);
      observeDeath(ledger, process.number);
      otherProcesses.delete(process);
      if (process === currentProcess) currentProcess = undefined;
      allowDelays(ledger, graceMs);
    }
  }

  async function stop(process: Process | undefined): Promise<void> {
    if (process === undefined) return;
    addHistoryLine(ledger, `process ${String(process.number)} stops`);
    const beganAt = clock.monotonic();
    clock.after(2 * (leaseMs + timeoutMs), () => {
      if (process !== currentProcess && !otherProcesses.has(process)) return;
      if (ledger.promptFrom <= beganAt)
        reportBroken(ledger, "stop-settles", `process ${String(process.number)} does not stop`);
      crash(process.number);
    });
    await process.relay.stop();
    const { storeSoundSince } = ledger;
    // A settlement that the store refused is tried while its lease lasts, and then its delivery stays claimed.
    if (storeSoundSince === 0 || storeSoundSince + leaseMs <= beganAt) checkStopped(parts, process);
    crash(process.number);
  }

  function freeze(forMs: number): void {
    const frozenProcess = currentProcess;
    if (frozenProcess === undefined) return;
    addHistoryLine(ledger, `process ${String(frozenProcess.number)} stands still`);
    frozenProcess.ports.freeze();
    ledger.isTimeUneven = true;
    endHolds(ledger, frozenProcess.number);
    observeFreeze(ledger, frozenProcess.number);
    otherProcesses.add(frozenProcess);
    currentProcess = undefined;
    boot();
    clock.after(forMs, () => {
      if (!otherProcesses.has(frozenProcess)) return;
      addHistoryLine(ledger, `process ${String(frozenProcess.number)} goes on`);
      // Deliveries that fell due while no process ran may be late: this process is not at fault.
      if (currentProcess === undefined) allowDelays(ledger, graceMs);
      observeThaw(ledger);
      frozenProcess.ports.thaw();
      configure(frozenProcess);
      clock.after(BESIDE_MS, () => {
        if (otherProcesses.has(frozenProcess)) void stop(frozenProcess);
      });
    });
  }

  function configure(process: Process): void {
    process.relay.configure(workspace).match(nothing, nothing);
    endRests(ledger, process.number);
  }

  async function end(): Promise<void> {
    hasEnded = true;
    await Promise.all([currentProcess, ...otherProcesses].map((process) => stop(process)));
  }

  return {
    running: () => currentProcess,
    runs: (process) => process === currentProcess,
    boot,
    crash,
    stop: () => stop(currentProcess),
    end,
    killSender: (downMs): void => {
      allowDelays(ledger, downMs + graceMs);
      currentProcess?.killSender(downMs);
    },
    freeze,
    change: (change, isInForce): void => {
      if (isInForce) changes.push(change);
      else changes.splice(changes.indexOf(change), 1);
      workspace = changeSettings(firstWorkspace, changes);
      observeSettings(ledger, workspace, change);
      allowDelays(ledger, graceMs);
      addHistoryLine(ledger, `changed: ${JSON.stringify(changes)}`);
      for (const process of thoseThatRun([...otherProcesses, currentProcess])) configure(process);
    },
    graceMs,
  };
}

/** A frozen process hears of new settings once it goes on. */
function thoseThatRun(processes: readonly (Process | undefined)[]): readonly Process[] {
  return processes.filter((process): process is Process => process?.ports.isFrozen() === false);
}

/** Reports each delivery that a stopped process left claimed. To be called only if the store did what it was asked. */
function checkStopped({ ledger }: ProcessParts, { number, ports }: Process): void {
  for (const delivery of ledger.deliveries.values()) {
    // If a commit got no answer, no process knows the deliveries that it stored as claimed.
    if (delivery.state !== "claimed" || delivery.token === undefined || !delivery.isOut) continue;
    if (ledger.holders.get(delivery.token) !== number) continue;
    // Its lease may have ended while the process was frozen.
    if ((delivery.sent.at(-1)?.sentAt ?? 0) < ports.thawedAt()) continue;
    reportBroken(ledger, "stop-settles", `${nameOf(delivery)} is left claimed by process ${String(number)}`);
  }
}

function nothing(): void {
  // These settings cannot be refused: they are those of the start, with changes that are valid.
}
