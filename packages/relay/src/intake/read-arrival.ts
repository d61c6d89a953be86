// Reads what all calls of an arrival have in common: the fields that its batch shares, in steps, and the span of the arrival. The calls are
// not looked at.

import type { EpochMs } from "@postrider/core";
import { readSharedInSteps, sampledTraceparent, type SharedObjects, type Steps } from "@postrider/core/engine";
import type { Arrival } from "../relay.js";

/** The data that all calls of an arrival have in common. */
export interface ArrivalData {
  readonly arrival: Arrival;
  /** Undefined if nothing is shared; `unreadable` if reading an object of the host throws. */
  readonly shared: SharedObjects | "unreadable" | undefined;
  /** The time of receipt. */
  readonly now: EpochMs;
  /** The span of the arrival, if it is one to store. */
  readonly traceparent: string | undefined;
  /** See `NewMessage`. */
  readonly asOf?: number;
}

/** Reads the fields that the calls share. Nearly all arrivals need one step. */
export function* readArrivalInSteps(arrival: Arrival, about: Pick<ArrivalData, "now" | "asOf">): Steps<ArrivalData> {
  const traceparent = sampledTraceparent(arrival.traceparent);
  const shared = arrival.shared === undefined ? undefined : yield* readSharedFields(arrival.shared);
  return { arrival, shared, traceparent, ...about };
}

function* readSharedFields(shared: NonNullable<Arrival["shared"]>): Steps<ArrivalData["shared"]> {
  try {
    const read = yield* readSharedInSteps(shared);
    const isEmpty = read.context === undefined && read.integrations === undefined;
    return isEmpty ? undefined : read;
  } catch {
    return "unreadable";
  }
}
