// The troubles at this moment: those of the store, and the step at which the process is to be killed. The faults of a
// simulation write them; the store and the network of a process read them.

import type { StoreAilment } from "@postrider/codec";
import type { CrashStep } from "../simulation.js";

export interface ActiveTroubles {
  /** How many of the current faults cause each ailment: faults may overlap. */
  readonly ailments: Map<StoreAilment, number>;
  /** The first process that comes to this step is killed there. */
  crashAt: { readonly step: CrashStep; readonly crash: (process: number) => void } | undefined;
}

export function noTroubles(): ActiveTroubles {
  return { ailments: new Map(), crashAt: undefined };
}

export function ails({ ailments }: ActiveTroubles, ailment: StoreAilment): boolean {
  return (ailments.get(ailment) ?? 0) > 0;
}

export interface Dying {
  readonly troubles: ActiveTroubles;
  readonly process: number;
}

/** Whether the process dies at this step. */
export function diesAt({ troubles, process }: Dying, step: CrashStep): boolean {
  const { crashAt } = troubles;
  if (crashAt?.step !== step) return false;
  troubles.crashAt = undefined;
  crashAt.crash(process);
  return true;
}
