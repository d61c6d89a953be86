// Starts and ends the faults of a simulation, each at its time.

import type { ScenarioStretch, StoreFaultKind } from "@postrider/relay/settings";
import type { Clock } from "@postrider/core";
import { observeStoreHealth } from "./ledger/fleet/claims.js";
import { allowDelays, type Ledger, addHistoryLine } from "./ledger/ledger.js";
import type { Machine, Servers } from "./machine/create-machine.js";
import type { ActiveTroubles, StepFault } from "./machine/active-troubles.js";
import type { CrashStep, LateAnswers, SimulatedFault, SimulationOptions } from "./simulation.js";

export interface FaultTargets extends SharedTargets {
  readonly machine: Machine;
  /** Steps the wall clock of the machine. */
  readonly stepWall: (byMs: number) => void;
}

/** The parts that all servers share: the store, and the settings. */
export interface SharedTargets {
  readonly clock: Pick<Clock, "after">;
  readonly ledger: Ledger;
  readonly machine: Pick<Servers, "change" | "graceMs">;
  readonly troubles: ActiveTroubles;
}

/** A fault of what all servers share. */
export type SharedFault = Extract<SimulatedFault, { readonly kind: "store" | "closed" | "settings" }>;

/** If no process comes to the step of a fault within this time, it happens to the process that takes calls. */
const MAX_WAIT_FOR_STEP_MS = 10_000;

/** Sets the timers for all faults. */
export function scheduleFaults(options: FaultTargets, faults: readonly SimulatedFault[]): void {
  for (const fault of faults) scheduleFault(options, fault);
}

function scheduleFault(options: FaultTargets, fault: SimulatedFault): void {
  const { clock, machine } = options;
  switch (fault.kind) {
    case "crash":
      clock.after(fault.atMs, () =>
        atStep(options, fault, { kills: true, happen: (process) => crash(options, process, fault.downMs) }),
      );
      return;
    case "stop":
      clock.after(fault.atMs, () =>
        atStep(options, fault, { kills: false, happen: () => stop(options, fault.downMs) }),
      );
      return;
    case "freeze":
      clock.after(fault.atMs, () =>
        atStep(options, fault, { kills: false, happen: () => machine.freeze(fault.forMs) }),
      );
      return;
    case "late-answers":
      scheduleLateAnswers(options, fault);
      return;
    case "clock-step":
      clock.after(fault.atMs, () => stepClock(options, fault.byMs));
      return;
    case "sender":
      clock.after(fault.atMs, () => machine.killSender(fault.downMs));
      return;
    case "store":
    case "closed":
    case "settings":
      scheduleShared(options, fault);
      return;
  }
}

/** Sets the timers for a fault of what all servers share. */
export function scheduleShared(options: SharedTargets, fault: SharedFault): void {
  const { clock, machine } = options;
  if (fault.kind !== "store") {
    const { destination } = fault;
    const change = { destination, sets: fault.kind === "closed" ? { is: fault.how } : fault.sets };
    during(clock, fault, (isOn) => machine.change(change, isOn));
    return;
  }
  allowDelaysDuring(options, fault);
  during(clock, fault, (isOn) => setAilment(options, fault.ails, isOn));
}

/** The store ails for longer than the fault lasts, since a request at its end may be answered late. */
function scheduleLateAnswers(options: FaultTargets, { fromMs, untilMs, share, byMs }: LateAnswers): void {
  const { clock, troubles } = options;
  const lateness = { share, byMs };
  const ailing = { fromMs, untilMs: untilMs + byMs };
  allowDelaysDuring(options, ailing);
  during(clock, ailing, (isOn) => setAilment(options, "late", isOn));
  during(clock, { fromMs, untilMs }, (isOn) => {
    if (isOn) troubles.lateness.add(lateness);
    else troubles.lateness.delete(lateness);
  });
}

export function isShared(fault: SimulatedFault): fault is SharedFault {
  return fault.kind === "store" || fault.kind === "closed" || fault.kind === "settings";
}

interface StepEvent extends Pick<StepFault, "kills"> {
  /** Without a process, it happens to the one that takes calls. */
  readonly happen: (process?: number) => void;
}

/** Has a fault happen once: at its step if it has one, and else at once. What does not kill happens to the process that takes calls. */
function atStep(
  { clock, machine, troubles }: FaultTargets,
  { step }: { readonly step?: CrashStep },
  { kills, happen }: StepEvent,
): void {
  if (step === undefined) {
    happen();
    return;
  }
  const isFor = (process: number): boolean => kills || machine.running()?.number === process;
  const fault: StepFault = { step, kills, isFor, happen };
  troubles.stepFaults.add(fault);
  clock.after(MAX_WAIT_FOR_STEP_MS, () => {
    if (troubles.stepFaults.delete(fault)) happen();
  });
}

function crash({ clock, machine }: FaultTargets, process: number | undefined, downMs: number): void {
  machine.crash(process);
  clock.after(downMs, () => machine.boot());
}

function stop({ clock, machine }: FaultTargets, downMs: number): void {
  void machine.stop().then(() => clock.after(downMs, () => machine.boot()));
}

function stepClock({ stepWall, ledger, machine }: FaultTargets, byMs: number): void {
  stepWall(byMs);
  allowDelays(ledger, machine.graceMs);
  addHistoryLine(ledger, `the clock steps by ${String(byMs)} ms`);
}

/** No delivery has to be prompt while the fault lasts, and for `graceMs` after its end. */
function allowDelaysDuring({ clock, ledger, machine }: SharedTargets, { fromMs, untilMs }: ScenarioStretch): void {
  clock.after(fromMs, () => allowDelays(ledger, untilMs - fromMs + machine.graceMs));
}

function setAilment({ ledger, troubles }: SharedTargets, ailment: StoreFaultKind | "late", isOn: boolean): void {
  const count = (troubles.ailments.get(ailment) ?? 0) + (isOn ? 1 : -1);
  if (count > 0) troubles.ailments.set(ailment, count);
  else troubles.ailments.delete(ailment);
  const doesFail = [...troubles.ailments.keys()].some((kind) => kind !== "late");
  if (ailment !== "late") ledger.storeSoundSince = doesFail ? Infinity : ledger.clock.monotonic();
  observeStoreHealth(ledger, troubles.ailments.size > 0);
  addHistoryLine(ledger, `the store is ${[...troubles.ailments.keys()].join(", ") || "sound"}`);
}

function during(
  clock: Pick<Clock, "after">,
  { fromMs, untilMs }: ScenarioStretch,
  setOn: (isOn: boolean) => void,
): void {
  clock.after(fromMs, () => setOn(true));
  clock.after(untilMs, () => setOn(false));
}

/** The end of all faults, in milliseconds from the start. A process that stops slowly may take longer. */
export function faultsEndMs({
  faults: sharedFaults = [],
  servers = [],
  operatorPauses = [],
  receivers,
}: SimulationOptions): number {
  const faults = [...sharedFaults, ...servers.flatMap(({ faults = [] }) => faults)];
  const spells = Object.values(receivers).flatMap((entry) => [entry].flat().flatMap(({ spells = [] }) => spells));
  return Math.max(0, ...faults.map(endOf), ...[...operatorPauses, ...spells].map(({ untilMs }) => untilMs));
}

function endOf(fault: SimulatedFault): number {
  switch (fault.kind) {
    case "crash":
      return fault.atMs + MAX_WAIT_FOR_STEP_MS + fault.downMs;
    case "stop":
      return fault.atMs + waitForStepMs(fault) + fault.downMs;
    case "sender":
      return fault.atMs + fault.downMs;
    case "freeze":
      return fault.atMs + waitForStepMs(fault) + fault.forMs;
    case "late-answers":
      return fault.untilMs + fault.byMs;
    case "clock-step":
      return fault.atMs;
    case "store":
    case "closed":
    case "settings":
      return fault.untilMs;
  }
}

function waitForStepMs({ step }: { readonly step?: CrashStep }): number {
  return step === undefined ? 0 : MAX_WAIT_FOR_STEP_MS;
}
