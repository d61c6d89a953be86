// The troubles that are active now: the ailments of the store, and the step at which a process is to be killed. The
// faults of a simulation set them; the store and the network of each process act on them.

import type { StoreFaultKind } from "@postrider/codec";
import type { CrashStep } from "../simulation.js";

export interface ActiveTroubles {
  /** For each ailment, the number of faults that cause it now; faults may overlap. */
  readonly ailments: Map<StoreFaultKind, number>;
  /** The first process that comes to this step is killed there. */
  crashAt: { readonly step: CrashStep; readonly crash: (process: number) => void } | undefined;
}

export function createTroubles(): ActiveTroubles {
  return { ailments: new Map(), crashAt: undefined };
}

export function hasAilment({ ailments }: ActiveTroubles, ailment: StoreFaultKind): boolean {
  return (ailments.get(ailment) ?? 0) > 0;
}

export interface ProcessTroubles {
  readonly troubles: ActiveTroubles;
  readonly process: number;
}

/** Kills the process if a crash is due at this step. Returns whether the process was killed. */
export function killIfDue({ troubles, process }: ProcessTroubles, step: CrashStep): boolean {
  const { crashAt } = troubles;
  if (crashAt?.step !== step) return false;
  troubles.crashAt = undefined;
  crashAt.crash(process);
  return true;
}
