// What is wrong at the moment with the store, and in the middle of what the process is to die. The faults of a simulation
// write here; the store and the network of a process read it.

import type { CrashStep, StoreAilment } from "../simulation.js";

export interface Troubles {
  /** How often each ailment is on; faults may overlap. */
  readonly ailments: Map<StoreAilment, number>;
  /** Whichever process comes to this step dies there. */
  crashAt: { readonly step: CrashStep; readonly crash: (process: number) => void } | undefined;
}

export function noTroubles(): Troubles {
  return { ailments: new Map(), crashAt: undefined };
}

export function ails({ ailments }: Troubles, ailment: StoreAilment): boolean {
  return (ailments.get(ailment) ?? 0) > 0;
}

export interface Dying {
  readonly troubles: Troubles;
  readonly process: number;
}

/** Whether the process has died at this step. */
export function diesAt({ troubles, process }: Dying, step: CrashStep): boolean {
  const { crashAt } = troubles;
  if (crashAt?.step !== step) return false;
  troubles.crashAt = undefined;
  crashAt.crash(process);
  return true;
}
