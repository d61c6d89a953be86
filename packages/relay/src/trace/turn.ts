// The entries of a record, as data: a turn is one input of a relay, and what the relay did until its promises had
// settled. Also runs a task in a later turn of the event loop, after all promises that are under way; tasks run in the
// order in which they were passed.

import type { EpochMs, MonoMs } from "@postrider/core";

/** The cause of a turn: one input of the relay. */
export type Cause =
  | readonly [kind: "created"]
  /** A port has answered, or has rejected. */
  | readonly [kind: "answer" | "fault", question: number, value: unknown]
  | readonly [kind: "timer", id: number]
  /** The host has asked the relay: a method and its arguments. */
  | readonly [kind: "call", request: number, method: string, args: readonly unknown[]]
  /** The store has ended. */
  | readonly [kind: "ended", reason: string];

/** A step of the relay in a turn. */
export type Step =
  /** It asked a port. */
  | readonly [kind: "ask", id: number, question: string, args: readonly unknown[]]
  /** It set a timer. */
  | readonly [kind: "timer", id: number, delayMs: number]
  /** It drew a random number, or random bytes. */
  | readonly [kind: "unit", value: number]
  | readonly [kind: "bytes", hex: string]
  /** It emitted a relay event. */
  | readonly [kind: "event", event: unknown]
  /** It answered a request of the host. */
  | readonly [kind: "reply", request: number, answer: unknown];

/** One input of a relay, by both clocks, and the steps that followed. */
export interface Turn {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly cause: Cause;
  readonly steps: readonly Step[];
}

/** The requests of a host that contain calls. The host may change its objects later, so these requests are kept as text. */
export const REQUESTS_WITH_CALLS: ReadonlySet<string> = new Set(["accept", "test"]);

declare const setImmediate: (task: () => void) => unknown;

/** Runs the task in a later turn of the event loop. */
export function inLaterTurn(task: () => void): void {
  setImmediate(task);
}

/** Resolves in a later turn of the event loop. */
export function afterPromises(): Promise<void> {
  return new Promise(inLaterTurn);
}
