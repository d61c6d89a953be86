// GET /api/deliveries/ID: one delivery with its message and its attempts. Endpoints are shown without the values of their
// queries, which often are keys.

import type { AttemptRecord, DeliveryId, DeliveryRecord, EndpointState, JsonObject } from "@postrider/core";
import { formatTimestamp, isPlainObject, maskEndpoint } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { anyObjectSchema, component, listSchema, orNull } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { ATTEMPT, type AttemptJson, type ExchangeJson } from "./attempt-json.js";
import { DELIVERY, type DeliveryJson, describeDelivery } from "./handle-list-deliveries.js";
import { describeLapses, LAPSES, type LapsesJson } from "./lapses-json.js";
import { faultAnswer, noDeliveryAnswer } from "./refuse.js";

/** A delivery in full, in an answer. */
export interface RecordJson extends DeliveryJson {
  readonly message: JsonObject | null;
  readonly attempts: readonly AttemptJson[];
  readonly lapses: LapsesJson | null;
}

const RECORD = component<RecordJson>("DeliveryRecord", {
  ...DELIVERY,
  message: orNull(anyObjectSchema()),
  attempts: listSchema(ATTEMPT),
  lapses: orNull(LAPSES),
});

export const SHOW_DELIVERY: ApiOperation = {
  id: "showDelivery",
  summary: "Shows one delivery with its message and its attempts.",
  readBy: "viewer",
  answer: { status: 200, description: "one delivery in full", schema: RECORD },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers the fields that a list shows, and `message`, `attempts` and `lapses`. */
export async function handleShowDelivery(relay: Pick<Relay, "delivery">, id: DeliveryId): Promise<Answer> {
  return relay
    .delivery(id)
    .match(
      (record) => (record === undefined ? noDeliveryAnswer() : jsonAnswer(200, describeRecord(record))),
      faultAnswer,
    );
}

/** The JSON of a delivery in full. */
export function describeRecord(record: DeliveryRecord): RecordJson {
  const excerpts = excerptsByAttempt(record);
  return {
    ...describeDelivery(record),
    message: record.body === undefined ? null : readMessage(record.body),
    attempts: record.attempts.map((attempt) => describeAttempt(attempt, excerpts.get(attempt))),
    lapses: describeLapses(record.lapses),
  };
}

/** The JSON of an attempt, with the beginning of its answer if it is known. */
export function describeAttempt(attempt: AttemptRecord, excerpt?: Uint8Array): AttemptJson {
  return { round: attempt.round, ...describeExchange(attempt, excerpt) };
}

/** An attempt, or what a test event was answered. */
interface Exchange<V> extends Pick<AttemptRecord, "endpoint" | "startedAt" | "durationMs" | "result"> {
  readonly verdict: V;
}

/** The JSON of one request and what was answered. */
export function describeExchange<V>(
  attempt: Exchange<V>,
  excerpt?: Uint8Array,
): ExchangeJson & { readonly verdict: V } {
  const { result } = attempt;
  return {
    endpoint: maskEndpoint(attempt.endpoint),
    startedAt: formatTimestamp(attempt.startedAt),
    durationMs: attempt.durationMs,
    status: result.kind === "answered" ? result.status : null,
    fault: result.kind === "silent" ? result.fault : null,
    verdict: attempt.verdict,
    excerpt: excerpt === undefined ? null : new TextDecoder().decode(excerpt),
  };
}

/**
 * The stored excerpts by attempt. An endpoint has at most one: that of its latest failed answer, by the numbers of the rounds, since
 * a clock may be set back. One that came after its delivery was settled has none: an excerpt is stored with its round.
 */
function excerptsByAttempt({ attempts: all, endpoints }: DeliveryRecord): ReadonlyMap<AttemptRecord, Uint8Array> {
  const successes = all.filter((attempt) => attempt.verdict === "success");
  const [lastRound, settledAt] = [successes[0]?.round, Math.min(...successes.map(repliedAt))];
  const attempts = all.filter((attempt) => attempt.round !== lastRound || repliedAt(attempt) <= settledAt);
  attempts.sort((one, other) => one.round - other.round);
  const placed = new Map<AttemptRecord, Uint8Array>();
  for (const { endpoint, excerpt } of endpoints) {
    const failed = attempts.findLast((attempt) => isFailedAnswer(attempt, endpoint));
    if (failed !== undefined && excerpt !== undefined) placed.set(failed, excerpt);
  }
  return placed;
}

/** When the status line or the fault came. A success settles its delivery at that time. */
function repliedAt({ startedAt, durationMs }: AttemptRecord): number {
  return startedAt + durationMs;
}

function isFailedAnswer(attempt: AttemptRecord, endpoint: EndpointState["endpoint"]): boolean {
  return attempt.endpoint === endpoint && attempt.verdict !== "success" && attempt.result.kind === "answered";
}

function readMessage(body: Uint8Array): JsonObject | null {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(body));
    return isPlainObject(message) ? message : null;
  } catch {
    // The stored body is damaged; the rest of the delivery is still shown.
    return null;
  }
}
