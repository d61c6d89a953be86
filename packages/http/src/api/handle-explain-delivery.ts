// GET /api/deliveries/ID/why: explains the state of a delivery, as data and in words.

import type { AttemptRecord, DeliveryId, DeliveryReason, Explanation, LaneClosure, PausedBy } from "@postrider/core";
import { formatTimestamp, maskEndpoint } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "../index.js";
import type { Relay } from "@postrider/relay";
import {
  choiceSchema,
  component,
  flagSchema,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type SchemaOf,
  oneOf,
  orNull,
  textSchema,
  unionSchema,
  wordSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import {
  type BackoffJson,
  describeBackoff,
  describeHold,
  type HoldJson,
  instantOrNull,
  BACKOFF,
  HOLD,
  PAUSED_BY,
} from "./lane-json.js";
import { ATTEMPT, type AttemptJson, describeAttempt } from "./handle-show-delivery.js";
import { faultAnswer, noDeliveryAnswer } from "./refuse.js";

interface ClosureJson {
  readonly mode: LaneClosure["mode"];
  readonly pausedBy: readonly PausedBy[];
}

const CLOSURE = objectSchema<ClosureJson>({
  mode: unionSchema<LaneClosure["mode"]>({
    held: true,
    refusing: true,
    blocked: true,
    paused: true,
    off: true,
    gone: true,
  }),
  pausedBy: listSchema(PAUSED_BY),
});

/** A reason for which a delivery waits or has ended: its kind, and what belongs to it. */
type ReasonJson =
  | { readonly kind: "delivered"; readonly attempt: AttemptJson | null }
  | {
      readonly kind: "expired";
      readonly attempt: AttemptJson | null;
      readonly others: readonly AttemptJson[];
      readonly windowEndsAt: string | null;
      readonly isCutShort: boolean;
      readonly closedNow: ClosureJson | null;
    }
  | { readonly kind: "lane-full"; readonly closedNow: ClosureJson | null }
  | { readonly kind: "refused"; readonly attempts: readonly AttemptJson[]; readonly isFinal: boolean }
  | { readonly kind: "not-in-settings"; readonly endsAt: string }
  | { readonly kind: "paused"; readonly by: readonly PausedBy[] }
  | BackoffJson
  | { readonly kind: "endpoint-holds"; readonly holds: readonly HoldJson[]; readonly until: string }
  | {
      readonly kind: "backoff";
      readonly attempt: AttemptJson;
      readonly others: readonly AttemptJson[];
      readonly leftOut: readonly string[];
      readonly holds: readonly HoldJson[];
      readonly dueAt: string;
    }
  | { readonly kind: "not-due"; readonly dueAt: string }
  | { readonly kind: "rate-limit"; readonly nextAt: string }
  | { readonly kind: "lane-busy"; readonly deliveries: number; readonly limit: number }
  | { readonly kind: "in-flight" | "lease-ended"; readonly leaseUntil: string }
  | { readonly kind: "never-allowed" | "purged" | "destination-removed" | "off" | "due" };

const REASON: SchemaOf<ReasonJson> = oneOf(
  objectSchema({ kind: wordSchema("delivered"), attempt: orNull(ATTEMPT) }),
  objectSchema({
    kind: wordSchema("expired"),
    attempt: orNull(ATTEMPT),
    others: listSchema(ATTEMPT),
    windowEndsAt: orNull(instantSchema()),
    isCutShort: flagSchema(),
    closedNow: orNull(CLOSURE),
  }),
  objectSchema({ kind: wordSchema("lane-full"), closedNow: orNull(CLOSURE) }),
  objectSchema({ kind: wordSchema("refused"), attempts: listSchema(ATTEMPT), isFinal: flagSchema() }),
  objectSchema({ kind: wordSchema("not-in-settings"), endsAt: instantSchema() }),
  objectSchema({ kind: wordSchema("paused"), by: listSchema(PAUSED_BY) }),
  BACKOFF,
  objectSchema({ kind: wordSchema("endpoint-holds"), holds: listSchema(HOLD), until: instantSchema() }),
  objectSchema({
    kind: wordSchema("backoff"),
    attempt: ATTEMPT,
    others: listSchema(ATTEMPT),
    leftOut: listSchema(textSchema()),
    holds: listSchema(HOLD),
    dueAt: instantSchema(),
  }),
  objectSchema({ kind: wordSchema("not-due"), dueAt: instantSchema() }),
  objectSchema({ kind: wordSchema("rate-limit"), nextAt: instantSchema() }),
  objectSchema({ kind: wordSchema("lane-busy"), deliveries: integerSchema(), limit: integerSchema() }),
  objectSchema({ kind: choiceSchema(["in-flight", "lease-ended"] as const), leaseUntil: instantSchema() }),
  objectSchema({ kind: choiceSchema(["never-allowed", "purged", "destination-removed", "off", "due"] as const) }),
);

/** The reasons for which a delivery waits or has ended, as data and in words. */
export interface ExplanationJson {
  readonly id: string;
  readonly reasons: readonly ReasonJson[];
  readonly sentences: readonly string[];
  readonly lapses: string | null;
  readonly nextAttemptAt: string | null;
  readonly windowEndsAt: string | null;
}

const EXPLANATION = component<ExplanationJson>("Explanation", {
  id: textSchema(),
  reasons: listSchema(REASON, { minItems: 1 }),
  sentences: listSchema(textSchema(), { minItems: 1 }),
  lapses: orNull(textSchema()),
  nextAttemptAt: orNull(instantSchema()),
  windowEndsAt: orNull(instantSchema()),
});

export const EXPLAIN_DELIVERY: ApiOperation = {
  id: "explainDelivery",
  summary: "Tells why a delivery waits or has ended, as data and in words.",
  readBy: "viewer",
  answer: { status: 200, description: "why it waits or has ended", schema: EXPLANATION },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers `{ id, reasons, sentences, lapses, nextAttemptAt, windowEndsAt }`. */
export async function handleExplainDelivery(relay: Pick<Relay, "explain">, id: DeliveryId): Promise<Answer> {
  return relay
    .explain(id)
    .match(
      (explanation) =>
        explanation === undefined ? noDeliveryAnswer() : jsonAnswer(200, describeExplanation(id, explanation)),
      faultAnswer,
    );
}

function describeExplanation(
  id: DeliveryId,
  { reasons, sentences, lapses, nextAttemptAt, windowEndsAt }: Explanation,
): ExplanationJson {
  return {
    id,
    reasons: reasons.map(describeReason),
    sentences,
    lapses: lapses ?? null,
    nextAttemptAt: instantOrNull(nextAttemptAt),
    windowEndsAt: instantOrNull(windowEndsAt),
  };
}

/** The kind, and what belongs to it. */
function describeReason(reason: DeliveryReason): ReasonJson {
  const { kind } = reason;
  switch (kind) {
    case "delivered":
      return { kind, attempt: attemptOrNull(reason.attempt) };
    case "expired":
      return {
        kind,
        attempt: attemptOrNull(reason.attempt),
        others: reason.others.map((other) => describeAttempt(other)),
        windowEndsAt: instantOrNull(reason.windowEndsAt),
        isCutShort: reason.isCutShort,
        closedNow: reason.closedNow ?? null,
      };
    case "refused":
      return {
        kind,
        attempts: reason.attempts.map((attempt) => describeAttempt(attempt)),
        isFinal: reason.isFinal,
      };
    case "not-in-settings":
      return { kind, endsAt: formatTimestamp(reason.endsAt) };
    case "paused":
      return { kind, by: reason.by };
    case "blocked":
    case "held":
    case "refusing":
      return describeBackoff(reason.backoff);
    case "endpoint-holds":
      return { kind, holds: reason.holds.map(describeHold), until: formatTimestamp(reason.until) };
    case "backoff":
      return {
        kind,
        attempt: describeAttempt(reason.attempt),
        others: reason.others.map((other) => describeAttempt(other)),
        leftOut: reason.leftOut.map(maskEndpoint),
        holds: reason.holds.map(describeHold),
        dueAt: formatTimestamp(reason.dueAt),
      };
    case "not-due":
      return { kind, dueAt: formatTimestamp(reason.dueAt) };
    case "rate-limit":
      return { kind, nextAt: formatTimestamp(reason.nextAt) };
    case "lane-busy":
      return { kind, deliveries: reason.deliveries, limit: reason.limit };
    case "in-flight":
    case "lease-ended":
      return { kind, leaseUntil: formatTimestamp(reason.leaseUntil) };
    case "lane-full":
      return { kind, closedNow: reason.closedNow ?? null };
    case "never-allowed":
    case "purged":
    case "destination-removed":
    case "off":
    case "due":
      return { kind };
  }
}

function attemptOrNull(attempt: AttemptRecord | undefined): AttemptJson | null {
  return attempt === undefined ? null : describeAttempt(attempt);
}
