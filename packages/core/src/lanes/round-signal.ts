// Decides what the end of a claim shows about the receiver of its lane. Must not know the lane.

import type { Outcome } from "../delivery/settlement.js";

/**
 * What the end of a claim shows about the load that the receiver can take. `refused`: nothing, but the receiver has answered.
 * `local`: all attempts had local faults, so that no request reached the receiver. `blocked`: our own address policy refuses
 * every endpoint. `none`: nothing, for example since there was no round.
 */
export type RoundSignal = "success" | "failure" | "refused" | "local" | "blocked" | "none";

/**
 * The signal of a settlement. A refusal says nothing about the load of a receiver. A delivery that died without a `detail`
 * had no round.
 */
export function signalOf(outcome: Outcome): RoundSignal {
  switch (outcome.kind) {
    case "delivered":
      return "success";
    case "rescheduled":
      return "failure";
    case "dead":
      return outcome.detail === undefined ? "none" : signalOfDeath(outcome.reason);
    case "released":
      return "none";
  }
}

function signalOfDeath(reason: "expired" | "refused" | "purged"): RoundSignal {
  switch (reason) {
    case "expired":
      return "failure";
    case "refused":
      return "refused";
    case "purged":
      return "none";
  }
}
