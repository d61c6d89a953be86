// GET /api/deliveries/ID/why: why a delivery is in its state, as data and in words.

import type { AttemptRecord, DeliveryId, DeliveryReason, Explanation } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { describeBackoff, describeHold, instantOrNull } from "./describe-lane.js";
import { describeAttempt } from "./handle-show-delivery.js";
import { faultAnswer, noDeliveryAnswer } from "./refuse.js";

/** Answers `{ id, reasons, sentences, nextAttemptAt, windowEndsAt }`. */
export async function handleExplainDelivery(relay: Pick<Relay, "explain">, id: DeliveryId): Promise<Answer> {
  return relay
    .explain(id)
    .match(
      (explanation) =>
        explanation === undefined ? noDeliveryAnswer() : jsonAnswer(200, describeExplanation(id, explanation)),
      faultAnswer,
    );
}

function describeExplanation(id: DeliveryId, { reasons, sentences, nextAttemptAt, windowEndsAt }: Explanation): object {
  return {
    id,
    reasons: reasons.map(describeReason),
    sentences,
    nextAttemptAt: instantOrNull(nextAttemptAt),
    windowEndsAt: instantOrNull(windowEndsAt),
  };
}

/** The kind, and what belongs to it. */
function describeReason(reason: DeliveryReason): object {
  const { kind } = reason;
  switch (kind) {
    case "delivered":
      return { kind, attempt: attemptOrNull(reason.attempt) };
    case "expired":
      return {
        kind,
        attempt: attemptOrNull(reason.attempt),
        windowEndsAt: instantOrNull(reason.windowEndsAt),
        isCutShort: reason.isCutShort,
      };
    case "refused":
      return { kind, attempts: reason.attempts.map((attempt) => describeAttempt(attempt)) };
    case "not-in-settings":
      return { kind, endsAt: formatTimestamp(reason.endsAt) };
    case "paused":
      return { kind, by: reason.by };
    case "blocked":
    case "held":
      return describeBackoff(reason.backoff);
    case "endpoint-holds":
      return { kind, holds: reason.holds.map(describeHold), until: formatTimestamp(reason.until) };
    case "backoff":
      return { kind, attempt: describeAttempt(reason.attempt), dueAt: formatTimestamp(reason.dueAt) };
    case "not-due":
      return { kind, dueAt: formatTimestamp(reason.dueAt) };
    case "rate-limit":
      return { kind, nextAt: formatTimestamp(reason.nextAt) };
    case "lane-busy":
      return { kind, deliveries: reason.deliveries, limit: reason.limit };
    case "in-flight":
    case "lease-ended":
      return { kind, leaseUntil: formatTimestamp(reason.leaseUntil) };
    case "never-allowed":
    case "lane-full":
    case "purged":
    case "destination-removed":
    case "off":
    case "due":
      return { kind };
  }
}

function attemptOrNull(attempt: AttemptRecord | undefined): object | null {
  return attempt === undefined ? null : describeAttempt(attempt);
}
