// Starts and ends the faults of a simulation, each at its time.

import type { ScenarioStretch, StoreFaultKind } from "@postrider/codec";
import type { ManualClock } from "@postrider/memory";
import { allowDelays, type Ledger, addTraceLine } from "./ledger/ledger.js";
import { adjustToClockStep } from "./ledger/move.js";
import type { Machine } from "./machine/create-machine.js";
import type { ActiveTroubles } from "./machine/troubles.js";
import type { SimulatedFault, SimulationOptions } from "./simulation.js";

export interface FaultTargets {
  readonly clock: ManualClock;
  readonly ledger: Ledger;
  readonly machine: Machine;
  readonly troubles: ActiveTroubles;
}

/** If no process comes to the step of a crash within this time, the process that takes calls is killed. */
const MAX_WAIT_FOR_STEP_MS = 10_000;

/** Sets the timers for all faults. */
export function scheduleFaults(options: FaultTargets, faults: readonly SimulatedFault[]): void {
  for (const fault of faults) scheduleFault(options, fault);
}

function scheduleFault(options: FaultTargets, fault: SimulatedFault): void {
  const { clock, machine } = options;
  switch (fault.kind) {
    case "crash":
      clock.after(fault.atMs, () => crash(options, fault));
      return;
    case "stop":
      clock.after(fault.atMs, () => {
        void machine.stop().then(() => clock.after(fault.downMs, () => machine.boot()));
      });
      return;
    case "freeze":
      clock.after(fault.atMs, () => machine.freeze(fault.forMs));
      return;
    case "clock-step":
      clock.after(fault.atMs, () => stepClock(options, fault.byMs));
      return;
    case "store":
      allowDelaysDuring(options, fault);
      during(clock, fault, (isOn) => setAilment(options, fault.ails, isOn));
      return;
    case "closed":
      during(clock, fault, (isOn) => machine.setClosed(fault.destination, fault.how, isOn));
      return;
  }
}

type Crash = Extract<SimulatedFault, { readonly kind: "crash" }>;

function crash({ clock, machine, troubles }: FaultTargets, { step, downMs }: Crash): void {
  let isDue = true;
  const die = (process = machine.running()?.number): void => {
    if (!isDue) return;
    isDue = false;
    if (troubles.crashAt === armed) troubles.crashAt = undefined;
    machine.crash(process);
    clock.after(downMs, () => machine.boot());
  };
  const armed = step === undefined ? undefined : { step, crash: die };
  if (armed === undefined) {
    die();
    return;
  }
  troubles.crashAt = armed;
  clock.after(MAX_WAIT_FOR_STEP_MS, () => die());
}

function stepClock({ clock, ledger, machine }: FaultTargets, byMs: number): void {
  adjustToClockStep(ledger, byMs);
  clock.stepWall(byMs);
  allowDelays(ledger, machine.graceMs);
  addTraceLine(ledger, `the clock steps by ${String(byMs)} ms`);
}

/** No delivery has to be prompt while the fault lasts, and for `graceMs` after its end. */
function allowDelaysDuring({ clock, ledger, machine }: FaultTargets, { fromMs, untilMs }: ScenarioStretch): void {
  clock.after(fromMs, () => allowDelays(ledger, untilMs - fromMs + machine.graceMs));
}

function setAilment({ ledger, troubles }: FaultTargets, ailment: StoreFaultKind, isOn: boolean): void {
  const times = (troubles.ailments.get(ailment) ?? 0) + (isOn ? 1 : -1);
  if (times > 0) troubles.ailments.set(ailment, times);
  else troubles.ailments.delete(ailment);
  addTraceLine(ledger, `the store is ${[...troubles.ailments.keys()].join(", ") || "sound"}`);
}

function during(clock: ManualClock, { fromMs, untilMs }: ScenarioStretch, turn: (isOn: boolean) => void): void {
  clock.after(fromMs, () => turn(true));
  clock.after(untilMs, () => turn(false));
}

/** When all faults are over, in milliseconds from the start. A process that stops slowly may take longer. */
export function faultsEndMs({ faults = [], operatorPauses = [], receivers }: SimulationOptions): number {
  const spells = Object.values(receivers).flatMap((one) => [one].flat().flatMap(({ spells = [] }) => spells));
  return Math.max(0, ...faults.map(endOf), ...[...operatorPauses, ...spells].map(({ untilMs }) => untilMs));
}

function endOf(fault: SimulatedFault): number {
  switch (fault.kind) {
    case "crash":
      return fault.atMs + MAX_WAIT_FOR_STEP_MS + fault.downMs;
    case "stop":
      return fault.atMs + fault.downMs;
    case "freeze":
      return fault.atMs + fault.forMs;
    case "clock-step":
      return fault.atMs;
    case "store":
    case "closed":
      return fault.untilMs;
  }
}
