// The entries of a record, as data: a turn is one input of a relay, and what the relay did until its promises had
// settled. And how a task gets such a turn of the event loop, after all promises that are under way; tasks run in their
// order.

import type { EpochMs, MonoMs } from "@postrider/core";

/** The cause of a turn: one input of the relay. The number is that of the question, the timer or the request. */
export type Cause =
  | readonly ["created"]
  /** A port has answered, or has rejected. */
  | readonly ["answer" | "fault", number, unknown]
  | readonly ["timer", number]
  /** The host has asked the relay: a method and its arguments. */
  | readonly ["call", number, string, readonly unknown[]]
  /** The store has ended. */
  | readonly ["ended", string];

/** A step of the relay in a turn. */
export type Step =
  /** It asked a port. */
  | readonly ["ask", number, string, readonly unknown[]]
  /** It set a timer of that many milliseconds. */
  | readonly ["timer", number, number]
  /** It drew a random number, or random bytes in hexadecimal digits. */
  | readonly ["unit", number]
  | readonly ["bytes", string]
  /** It emitted a relay event. */
  | readonly ["event", unknown]
  /** It answered a request of the host. */
  | readonly ["reply", number, unknown];

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
