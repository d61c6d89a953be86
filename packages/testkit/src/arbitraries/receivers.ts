// Receivers of a simulation that have troubles all the time, to test a policy with, or a healthy receiver beside them. Does
// not depend on the simulator: the types here have the same shape, so that a simulation accepts them.

import { defined } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";

/** A receiver that the simulator accepts. */
export interface TroubledReceiver {
  readonly usually: Troubles;
  /** The most milliseconds by which an answer is delayed at random. */
  readonly spreadMs: number;
}

/** Answers 200, except for these. */
export interface Troubles {
  readonly kind: "troubled";
  readonly usually: { readonly kind: "answers"; readonly status: number; readonly afterMs: number };
  /** The share of requests that are answered 500, by chance. */
  readonly errors: number;
  /** The share of messages that are answered 500 each time. */
  readonly poisoned: number;
  /** How many requests get an answer at the same time; if absent, all of them. */
  readonly bears?: number;
}

/** Just below the 5 s that a receiver is given by default. */
const SLOWEST_MS = 4_900;

/** Slow, erring, unable to take certain messages, overloaded by a few requests at once, or several of these; or none. */
export function troubledReceivers(): Arbitrary<TroubledReceiver> {
  return fc.record({ usually: troubles(), spreadMs: durations(500) });
}

function troubles(): Arbitrary<Troubles> {
  return fc
    .record({
      afterMs: durations(SLOWEST_MS),
      errors: shares(0.5),
      poisoned: shares(0.4),
      bears: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    })
    .map(({ afterMs, errors, poisoned, bears }) => ({
      kind: "troubled",
      usually: { kind: "answers", status: 200, afterMs },
      errors,
      poisoned,
      ...defined({ bears }),
    }));
}

/** Often zero. */
function shares(most: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.double({ min: 0, max: most, noNaN: true }));
}

function durations(mostMs: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostMs }));
}
