// GET /api/deliveries/ID: shows one delivery with its message, its attempts and its lapses. Endpoints are shown without the
// values of their queries, which often are keys. Also the JSON of an attempt, and of a request of a test event.

import {
  type AttemptRecord,
  type DeliveryId,
  type DeliveryRecord,
  type EndpointState,
  type JsonObject,
  type Fault,
  FAULTS,
  type Verdict,
  type Lapses,
} from "@postrider/core";
import { formatTimestamp, isPlainObject, maskEndpoint, lapsesInWords } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "../index.js";
import type { Relay } from "@postrider/relay";
import {
  anyObjectSchema,
  component,
  listSchema,
  orNull,
  choiceSchema,
  instantSchema,
  integerSchema,
  type Properties,
  type SchemaOf,
  textSchema,
  unionSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { DELIVERY, type DeliveryJson, describeDelivery } from "./handle-deliveries.js";
import { faultAnswer, noDeliveryAnswer } from "./refuse.js";

/** The keys of an exchange. */
export const EXCHANGE: Properties<ExchangeJson> = {
  endpoint: textSchema(),
  startedAt: instantSchema(),
  durationMs: integerSchema(),
  status: orNull(integerSchema()),
  fault: orNull(choiceSchema(FAULTS)),
  excerpt: orNull(textSchema()),
};

export const ATTEMPT: SchemaOf<AttemptJson> = component<AttemptJson>("Attempt", {
  round: integerSchema(),
  ...EXCHANGE,
  verdict: unionSchema<Verdict>({ success: true, retry: true, refused: true }),
});

const LAPSES: SchemaOf<LapsesJson> = component<LapsesJson>("Lapses", {
  count: integerSchema({ minimum: 1 }),
  process: textSchema(),
  leaseUntil: instantSchema(),
  takenAt: instantSchema(),
  takenBy: orNull(textSchema()),
  inWords: textSchema(),
});

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

/** An attempt, or the answer to a test event. */
interface Exchange<V> extends Pick<AttemptRecord, "endpoint" | "startedAt" | "durationMs" | "result"> {
  readonly verdict: V;
}

/** The JSON of one request and its answer. */
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
function excerptsByAttempt({
  attempts: allAttempts,
  endpoints,
}: DeliveryRecord): ReadonlyMap<AttemptRecord, Uint8Array> {
  const successes = allAttempts.filter((attempt) => attempt.verdict === "success");
  const lastRound = successes[0]?.round;
  const settledAt = Math.min(...successes.map(repliedAt));
  const attempts = allAttempts.filter((attempt) => attempt.round !== lastRound || repliedAt(attempt) <= settledAt);
  attempts.sort((first, second) => first.round - second.round);
  const excerpts = new Map<AttemptRecord, Uint8Array>();
  for (const { endpoint, excerpt } of endpoints) {
    const failed = attempts.findLast((attempt) => isFailedAnswer(attempt, endpoint));
    if (failed !== undefined && excerpt !== undefined) excerpts.set(failed, excerpt);
  }
  return excerpts;
}

/** The time at which the status line or the fault came. A success settles its delivery at that time. */
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

/** One request and its answer. Of `status` and `fault` one is null. */
export interface ExchangeJson {
  readonly endpoint: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: Fault | null;
  readonly excerpt: string | null;
}

/** An attempt in an answer. */
export interface AttemptJson extends ExchangeJson {
  readonly round: number;
  readonly verdict: Verdict;
}

/** Lapses in an answer. All but `count` tells of the latest one. `inWords` is a sentence or two for people. */
interface LapsesJson {
  readonly count: number;
  readonly process: string;
  readonly leaseUntil: string;
  readonly takenAt: string;
  readonly takenBy: string | null;
  readonly inWords: string;
}

/** The JSON of lapses; null if there are none. */
function describeLapses(lapses: Lapses | undefined): LapsesJson | null {
  if (lapses === undefined) return null;
  return {
    count: lapses.count,
    process: lapses.process,
    leaseUntil: formatTimestamp(lapses.leaseUntil),
    takenAt: formatTimestamp(lapses.takenAt),
    takenBy: lapses.takenBy ?? null,
    inWords: lapsesInWords(lapses),
  };
}
