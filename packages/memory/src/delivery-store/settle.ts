// Settles a claimed delivery, only under the token of its claim and therefore at most once. A delivery whose data is
// purged, or is to be, may still become delivered, but does not wait for another round, and stores no excerpts.

import {
  type DeliveryEvent,
  type EndpointState,
  type EpochMs,
  epochMs,
  nextState,
  type Outcome,
  type SettleResult,
  type Settlement,
} from "@postrider/core";
import { type Contents, type StoredDelivery, copyEndpoints } from "./contents.js";
import { mustForget } from "./erasure.js";
import { move } from "./move.js";

export function settle(contents: Contents, settlement: Settlement, now: EpochMs): SettleResult {
  const delivery = contents.deliveries.get(settlement.id);
  if (delivery?.token !== settlement.token) return "stale";
  const isPurged = mustForget(contents, delivery);
  const outcome = isPurged ? deadUnlessDelivered(settlement.outcome) : settlement.outcome;
  if (nextState(delivery.state, EVENTS[outcome.kind]) === undefined) return "stale";
  // Attempts are recorded before the move, since the move chooses a queue by the number of rounds.
  recordAttempts(delivery, settlement);
  move(contents, delivery, EVENTS[outcome.kind], timeAfter(outcome, now));
  recordOutcome(delivery, outcome);
  const endpoints = isPurged ? settlement.endpoints.map(withoutExcerpt) : settlement.endpoints;
  if (settlement.outcome.kind !== "released") delivery.endpoints = copyEndpoints(endpoints);
  return isPurged && outcome.kind !== "delivered" ? "purged" : "settled";
}

function deadUnlessDelivered(outcome: Outcome): Outcome {
  if (outcome.kind === "delivered") return outcome;
  return { kind: "dead", reason: "purged", ...("detail" in outcome ? { detail: outcome.detail } : {}) };
}

function withoutExcerpt({ excerpt: _, ...state }: EndpointState): EndpointState {
  return state;
}

const EVENTS: Readonly<Record<Outcome["kind"], DeliveryEvent>> = {
  delivered: "delivered",
  dead: "died",
  rescheduled: "rescheduled",
  released: "released",
};

function timeAfter(outcome: Outcome, now: EpochMs): EpochMs {
  return outcome.kind === "rescheduled" || outcome.kind === "released" ? outcome.dueAt : now;
}

/** Adds the attempts of one round. The window starts at the earliest attempt of the first recorded round. */
function recordAttempts(delivery: StoredDelivery, { attempts }: Settlement): void {
  if (attempts.length === 0) return;
  delivery.rounds += 1;
  delivery.firstAttemptAt ??= epochMs(Math.min(...attempts.map((attempt) => attempt.startedAt)));
  delivery.attempts = [...delivery.attempts, ...attempts];
}

function recordOutcome(delivery: StoredDelivery, outcome: Outcome): void {
  if (outcome.kind === "dead") delivery.reason = outcome.reason;
  if (outcome.kind !== "released") delivery.detail = outcome.detail ?? delivery.detail;
}
