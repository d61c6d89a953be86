// The promises that a simulation checks, each by its name. docs/guides/simulate.md shows this table.

export const CHECKS = {
  "counting-law": "accepted = filtered + waiting + claimed + delivered + dead after every commit, as counted outside.",
  "stored-once": "A call is stored once, however often its caller repeats it.",
  "receipt-is-true": "What a receipt calls accepted, or a duplicate, is in the store by then.",
  "no-lost-call": "What was stored stays until it has come to rest.",
  "settles-once": "A delivery comes to rest once, and stays there.",
  "settles-under-its-lease": "Only who holds the lease of a delivery settles it.",
  "one-lease": "No delivery is handed out before it is due, or while another lease on it lasts.",
  "stored-before-sent": "Nothing is sent that is not in the store.",
  "room-in-the-lease": "An attempt starts only while its lease lasts long enough.",
  "none-after-the-window": "No attempt starts after the window.",
  "none-after-success": "No attempt starts after a success was recorded.",
  "first-attempt": "Nothing dies untried.",
  "same-bytes": "Every attempt carries the bytes that were stored.",
  "retry-after": "A receiver that asks to be left alone is.",
  "open-lane": "Nothing of a destination that is off or paused is claimed or sent.",
  prompt: "What is due goes out at once, if its lane has room, is not held, and all is calm.",
  "stop-settles": "A stop leaves nothing claimed.",
  "delivered-is-success": "A delivery is delivered if, and only if, a receiver took it.",
  "expires-in-time":
    "A delivery expires only when no further round fits its window, by the clock as it stood when that was decided.",
  "attempts-are-true": "What is recorded as an attempt is what went out and what came back.",
  "no-stall": "Nothing waits for a time that cannot be meant, as after a clock that was set back.",
  "all-settle": "Once all faults are over, everything comes to rest within a bound.",
} as const;

export type CheckName = keyof typeof CHECKS;

/** A broken promise: where and when. */
export interface BrokenPromise {
  readonly check: CheckName;
  readonly what: string;
  /** Since the start of the simulation. */
  readonly atMs: number;
}
