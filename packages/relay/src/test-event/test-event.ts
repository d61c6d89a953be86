// The types of a test event: what a host asks for, and what the receivers answered. Data only.

import type { AttemptRecord, DestinationId, Refusal } from "@postrider/core";
import type { RelayFault } from "../fault.js";

/** A request for a test event. */
export interface TestRequest {
  /** A destination in force; it may be switched off or paused, and its lane may be held. */
  readonly destination: DestinationId;
  /** The call that is sent, as a host would send it; a track call "Test Event" if absent. */
  readonly call?: unknown;
}

/** The answer of one endpoint to a test event. */
export interface TestAttempt extends Omit<AttemptRecord, "round" | "verdict"> {
  /** What the answer would mean for a delivery; `local`: a fault of this machine, which says nothing about the receiver. */
  readonly verdict: AttemptRecord["verdict"] | "local";
  /** The first bytes of the answer's body, at most 4,096; empty on 2xx and without an answer. */
  readonly excerpt: Uint8Array;
}

/** What became of a test event. */
export interface TestReport {
  readonly destination: DestinationId;
  /** A new id, also if the call has one: a receiver would ignore a message that it has seen. */
  readonly messageId: string;
  /** One for each endpoint, in the order of the settings. */
  readonly attempts: readonly TestAttempt[];
}

/**
 * Why nothing was sent. `unknown-destination`: it is not in the settings. `refused`: the call is none that would be accepted.
 * `too-many-tests`: 4 test events are under way.
 */
export type TestFault =
  | { readonly code: "unknown-destination" | "too-many-tests" }
  | { readonly code: "refused"; readonly refusal: Refusal }
  | RelayFault;
