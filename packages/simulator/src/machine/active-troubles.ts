// The troubles that are active in a simulation, which its faults set, and what they do to an operation of a store or to a process that
// comes to a step. What they do is drawn from a random source.

import type { StoreFaultKind } from "@postrider/relay/settings";
import type { Random, StoreErrorCode } from "@postrider/core";
import type { CrashStep, LateAnswers } from "../simulation.js";

export interface ActiveTroubles {
  /** The longest latency of the store while it is healthy. */
  readonly latencyMs: number;
  /** For each ailment, the number of faults that cause it now; faults may overlap. */
  readonly ailments: Map<StoreFaultKind | "late", number>;
  /** The faults by which answers are late now. */
  readonly lateness: Set<Pick<LateAnswers, "share" | "byMs">>;
  /** The faults that happen to the first process that comes to their step. */
  readonly stepFaults: Set<StepFault>;
}

export interface StepFault {
  readonly step: CrashStep;
  /** True if the process is dead afterwards. */
  readonly kills: boolean;
  /** True if the fault can happen to this process. */
  readonly isFor: (process: number) => boolean;
  readonly happen: (process: number) => void;
}

export function createTroubles(latencyMs: number = LATENCY_MS): ActiveTroubles {
  return { latencyMs, ailments: new Map(), lateness: new Set(), stepFaults: new Set() };
}

function hasAilment({ ailments }: ActiveTroubles, ailment: StoreFaultKind): boolean {
  return (ailments.get(ailment) ?? 0) > 0;
}

interface ProcessTroubles {
  readonly troubles: ActiveTroubles;
  readonly process: number;
}

/** Has the fault happen that is due at this step, if there is one. Returns whether the process was killed. */
export function killIfDue({ troubles, process }: ProcessTroubles, step: CrashStep): boolean {
  for (const fault of troubles.stepFaults) {
    if (fault.step !== step || !fault.isFor(process)) continue;
    troubles.stepFaults.delete(fault);
    fault.happen(process);
    return fault.kills;
  }
  return false;
}

/** The needs of an operation: space, a change of the stored data, only a read, or only the clock of the store. */
export type Access = "grows" | "writes" | "reads" | "tells-time";

/** The longest latency of a healthy store, unless a simulation has another one, and that of a slow store. */
const LATENCY_MS = 3;
const SLOW_LATENCY_MS = 150;

interface DrawContext {
  readonly random: Random;
  readonly troubles: ActiveTroubles;
}

/**
 * Draws whether an operation fails. An unavailable or busy store fails often, but not always. A full store fails every
 * commit with new messages or replays, and some of the other writes.
 */
export function drawFault({ random, troubles }: DrawContext, access: Access): StoreErrorCode | undefined {
  if (troubles.ailments.size === 0) return undefined;
  const isFailing = random.unit() < 0.7;
  if (hasAilment(troubles, "unavailable") && isFailing) return "unavailable";
  if (access === "reads" || access === "tells-time") return undefined;
  if (hasAilment(troubles, "busy") && isFailing) return "busy";
  if (hasAilment(troubles, "full") && (access === "grows" || random.unit() < 0.3)) return "full";
  return undefined;
}

/** Draws for how long an operation takes: whole milliseconds, so that operations can end at the same instant. */
export function drawLatency(context: DrawContext, access: Access): number {
  return drawUsualLatency(context) + drawLateness(context, access);
}

function drawUsualLatency({ random, troubles }: DrawContext): number {
  const longestMs = hasAilment(troubles, "slow") ? SLOW_LATENCY_MS : troubles.latencyMs;
  return Math.floor(random.unit() * (longestMs + 1));
}

function drawLateness({ random, troubles }: DrawContext, access: Access): number {
  let lateMs = 0;
  if (access === "tells-time") return lateMs;
  for (const { share, byMs } of troubles.lateness) if (random.unit() < share) lateMs += Math.ceil(random.unit() * byMs);
  return lateMs;
}
