// The options of a simulation, as plain data that prints and shrinks: receivers and their behaviour, the load, the faults.
// The types of a scenario file, with defaults and with what no file has. All times count from the start of the simulation.

import type {
  Scenario,
  ScenarioDowntime,
  ScenarioFault,
  ScenarioLoad,
  ScenarioStretch,
  ScenarioTroubles,
} from "@postrider/codec";
import type { ScriptedReply } from "@postrider/memory";

export interface SimulationOptions {
  /** Any whole number: it determines all random choices. 1 if left out. */
  readonly seed?: number;
  /** The numbers of delivery that differ from the default ones. */
  readonly policy?: Scenario["policy"];
  /** For each destination its receivers: one, or up to five for as many endpoints. */
  readonly receivers: Readonly<Record<string, SimulatedReceiver | readonly SimulatedReceiver[]>>;
  readonly faults?: readonly SimulatedFault[];
  /** 50 calls within a minute if left out. */
  readonly load?: Load;
  /** What the wall clock shows first, in milliseconds since 1970; 2026-01-01T00:00:00Z if left out. */
  readonly wallAtStart?: number;
  /** Called at intervals with the progress of the simulation. */
  readonly onProgress?: (progress: SimulationProgress) => void;
}

/** Calls spread evenly over a time, one in an arrival if `perArrival` is left out. */
export interface Load extends Omit<ScenarioLoad, "perArrival">, Partial<Pick<ScenarioLoad, "perArrival">> {
  /** The share of destinations that a call's integrations leave out, from 0, the default, to 1. */
  readonly leftOut?: number;
}

/** The progress of a simulation towards the end of its faults. */
export interface SimulationProgress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  /** Calls that were stored. */
  readonly calls: number;
  /** Deliveries that are finished. */
  readonly finished: number;
}

/** A receiver: what it usually does, and when it does something else. */
export interface SimulatedReceiver {
  /** Answers 200 after 20 ms if left out. */
  readonly usually?: Behaviour;
  /** If two overlap, the later one in the list applies. */
  readonly spells?: readonly Spell[];
  /** The most by which chance lengthens the time of an answer; 0 if left out. */
  readonly spreadMs?: number;
}

export interface Spell extends ScenarioStretch {
  readonly behaviour: Behaviour;
}

/** `mixed`: each request gets one of these by chance. */
export type Behaviour = ScriptedReply | { readonly kind: "mixed"; readonly of: readonly ScriptedReply[] } | Troubled;

/** Answers as scripted, except for these troubles. */
export interface Troubled extends Partial<ScenarioTroubles> {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
}

export type SimulatedFault =
  | Exclude<ScenarioFault, { readonly kind: "crash" }>
  /** As in a scenario, at a chosen step. */
  | ({ readonly kind: "crash"; readonly step?: CrashStep } & ScenarioDowntime)
  /** The process is frozen, as by SIGSTOP. Another takes over; afterwards both run for a while. */
  | { readonly kind: "freeze"; readonly atMs: number; readonly forMs: number };

/**
 * The step at which a process is killed: the first one after `atMs`, or after ten seconds in any case. Before a commit or
 * claim takes effect, after it took effect but before the process has the answer, after a request was sent, and before the
 * process gets a reply.
 */
export const CRASH_STEPS = [
  "commit-asked",
  "commit-done",
  "claim-asked",
  "claim-done",
  "request-sent",
  "reply-come",
] as const;
export type CrashStep = (typeof CRASH_STEPS)[number];
