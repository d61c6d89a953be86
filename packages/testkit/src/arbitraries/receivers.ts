// Receivers of a simulation that are in trouble all the time: what a policy, or a good receiver beside them, has to live with.

import fc, { type Arbitrary } from "fast-check";
import type { Receiver, Troubled } from "../simulator/simulation.js";

/** Just below the 5 s that a receiver is given by default. */
const SLOWEST_MS = 4_900;

/** Slow, erring, unable to take certain messages, overloaded by a few requests at once, or several of these; or none. */
export function troubledReceivers(): Arbitrary<Receiver> {
  return fc.record({ usually: troubles(), spreadMs: durations(500) });
}

function troubles(): Arbitrary<Troubled> {
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
      ...(bears === undefined ? {} : { bears }),
    }));
}

/** Often none. */
function shares(most: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.double({ min: 0, max: most, noNaN: true }));
}

function durations(mostMs: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostMs }));
}
