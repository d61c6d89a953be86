// What a simulation is made of, as plain data that prints, shrinks and can be written down: who receives and how they
// behave, how many calls come in, what goes wrong. All times count from the start of the simulation.

import type { DeliveryPolicy } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";

export interface SimulationOptions {
  /** Any whole number: it decides all that chance decides. 1 if left out. */
  readonly seed?: number;
  /** Where the numbers of delivery differ from the default ones. */
  readonly policy?: Partial<DeliveryPolicy>;
  /** For each destination its receivers: one, or up to five for as many endpoints. */
  readonly receivers: Readonly<Record<string, Receiver | readonly Receiver[]>>;
  readonly faults?: readonly SimulatedFault[];
  /** 50 calls within a minute if left out. */
  readonly load?: Load;
  /** What the wall clock shows first, in milliseconds since 1970; 2026-01-01T00:00:00Z if left out. */
  readonly wallAtStart?: number;
  /** Told now and then how far the simulation has come. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Calls spread evenly over a time. */
export interface Load {
  readonly calls: number;
  readonly overMs: number;
  /** How many come in one arrival; 1 if left out. */
  readonly perArrival?: number;
  /** The share of destinations that a call's integrations leave out, from 0, the default, to 1. */
  readonly leftOut?: number;
}

/** How far a simulation has come, on the way to the end of its faults. */
export interface Progress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  /** Calls that were stored. */
  readonly calls: number;
  /** Deliveries that have come to rest. */
  readonly finished: number;
}

/** A receiver: what it usually does, and when it does something else. */
export interface Receiver {
  /** Answers 200 after 20 ms if left out. */
  readonly usually?: Behaviour;
  /** Of two that overlap the later one in the list holds. */
  readonly spells?: readonly Spell[];
  /** By up to how much longer an answer takes, by chance; 0 if left out. */
  readonly spreadMs?: number;
}

export interface Spell extends Stretch {
  readonly behaviour: Behaviour;
}

/** From `fromMs` up to, not including, `untilMs`. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** `mixed`: each request gets one of these by chance. */
export type Behaviour = ScriptedReply | { readonly kind: "mixed"; readonly of: readonly ScriptedReply[] } | Troubled;

/** Answers as scripted, but for some. */
export interface Troubled {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
  /** The share of requests that are answered 500, by chance. */
  readonly errors?: number;
  /** The share of messages that are answered 500 each time, told by their bytes. */
  readonly poisoned?: number;
  /** So many requests at once get an answer; further ones are answered 503 at once. */
  readonly bears?: number;
}

export type SimulatedFault =
  /** The process is gone without a word, and comes back after `downMs`. */
  | { readonly kind: "crash"; readonly atMs: number; readonly downMs: number; readonly step?: CrashStep }
  /** An operator stops the process and starts it again. */
  | { readonly kind: "stop"; readonly atMs: number; readonly downMs: number }
  /** The process stands still, as under SIGSTOP. Another takes over; afterwards both run for a while. */
  | { readonly kind: "freeze"; readonly atMs: number; readonly forMs: number }
  /** The wall clock steps. */
  | { readonly kind: "clock-step"; readonly atMs: number; readonly byMs: number }
  | ({ readonly kind: "store"; readonly ails: StoreAilment } & Stretch)
  /** The destination is switched off, or paused. */
  | ({ readonly kind: "closed"; readonly destination: string; readonly how: "off" | "paused" } & Stretch);

/** `unavailable`: it cannot be known whether what was asked has happened. */
export const STORE_AILMENTS = ["busy", "full", "slow", "unavailable"] as const;
export type StoreAilment = (typeof STORE_AILMENTS)[number];

/**
 * In the middle of what a process dies: the first such step after `atMs`, or after ten seconds in any case. Before a commit
 * or claim takes effect, after it took effect but before anyone heard, with a request on its way, with a reply at the door.
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
