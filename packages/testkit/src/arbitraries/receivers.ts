// Receivers that have troubles all the time, for a simulation. Must not import the simulator: the types here have the
// same shape as its types, so that it accepts these receivers.

import { defined } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";

/** A receiver that the simulator accepts. */
export interface TroubledReceiver {
  readonly usually: TroubledAnswers;
  /** The most milliseconds by which an answer is delayed at random. */
  readonly spreadMs: number;
}

/** The receiver answers 200, except for these troubles. */
export interface TroubledAnswers {
  readonly kind: "troubled";
  readonly usually: { readonly kind: "answers"; readonly status: number; readonly afterMs: number };
  /** The share of requests that are answered 500, by chance. */
  readonly errors: number;
  /** The share of messages that are answered 500 each time. */
  readonly poisoned: number;
  /** How many requests may be open at once; further requests get 503. No limit if absent. */
  readonly bears?: number;
}

/** Just below the default timeout of 5 s. */
const SLOWEST_MS = 4_900;

/**
 * Receivers with any of these troubles, several of them, or none: slow, random failures, messages that are never
 * accepted, a low bound of open requests.
 */
export function troubledReceivers(): Arbitrary<TroubledReceiver> {
  return fc.record({ usually: troubles(), spreadMs: durations(500) });
}

function troubles(): Arbitrary<TroubledAnswers> {
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

/** A share from 0 to `most`, often 0. */
function shares(most: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.double({ min: 0, max: most, noNaN: true }));
}

function durations(mostMs: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostMs }));
}
