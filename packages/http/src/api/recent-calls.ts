// GET /api/calls: remembers the latest calls of this process, with the outcome of each and its reason, and lists them newest
// first. Has no body of a call and no user id. The relay's events report calls; ingest reports keys without a source.

import {
  type FilterReason,
  REFUSAL_CODES,
  sourceId,
  WARNING_CODES,
  type CallWarning,
  type Clock,
  type DeliveryId,
  type EpochMs,
  type FilteredUnit,
  type RefusalCode,
  type SourceId,
} from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer, notFoundAnswer } from "../index.js";
import type { RelayEvent } from "@postrider/relay";
import {
  choiceSchema,
  unionSchema,
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type Of,
  orNull,
  textSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { choiceField, countField, type Fields, numberField, textField, readQuery } from "./read-request.js";
import { problemAnswer } from "./refuse.js";

/** The calls that are remembered; an older one is forgotten. */
const MAX_RECENT_CALLS = 1_000;

/** The outcomes of a call. `filtered`: it was accepted, and goes to no destination. `shed`: the store could not take it. */
export const INTAKE_OUTCOMES = [
  "accepted",
  "filtered",
  "duplicate",
  "suppressed",
  "refused",
  "shed",
  "unknown-key",
] as const;

/** The outcome of a call; see `INTAKE_OUTCOMES`. */
export type IntakeOutcome = (typeof INTAKE_OUTCOMES)[number];

/** A call that has come in, or several that were shed together. */
interface RecentCall {
  /** Counts calls from 1, in the order in which they came in. */
  readonly number: number;
  readonly at: EpochMs;
  readonly outcome: IntakeOutcome;
  /** Undefined if the key is that of no source. */
  readonly source?: SourceId | undefined;
  /** Undefined if the call was refused before it had one. */
  readonly messageId?: string | undefined;
  readonly deliveries: readonly DeliveryId[];
  /** The destinations that do not get it, each with the reason; with a destination of null, none is connected. */
  readonly filtered: readonly FilteredUnit[];
  /** Present if it was refused. */
  readonly refusal?: { readonly code: RefusalCode; readonly path: string } | undefined;
  /** The parts of the call that may be otherwise than its caller meant. */
  readonly warnings: readonly CallWarning[];
  /** The number of calls; more than 1 only for calls that were shed. */
  readonly calls: number;
}

/** The filter of a list of calls. */
interface RecentCallsQuery {
  readonly source?: SourceId;
  readonly outcome?: IntakeOutcome;
  readonly messageId?: string;
  /** Only calls with a higher number. */
  readonly after?: number;
  readonly limit: number;
}

interface RecentCallsPage {
  /** Newest first. */
  readonly calls: readonly RecentCall[];
  /** The number of the latest call of all; 0 if none has come in. */
  readonly latest: number;
  /** The number of calls after `after` that are forgotten already. */
  readonly missed: number;
}

/** The latest calls of this process. */
export interface RecentCalls {
  /** To be called with each event of the relay. */
  readonly observe: (event: RelayEvent) => void;
  /** To be called for each request whose key no source has. */
  readonly noteUnknownKey: () => void;
  list(query: RecentCallsQuery): RecentCallsPage;
}

const NONE: readonly never[] = [];

/** Remembers no call yet. */
export function createRecentCalls(clock: Pick<Clock, "wall">): RecentCalls {
  const ring: RecentCall[] = [];
  let latest = 0;

  // Written out, since this is done for each call: with the fields of `call` spread it takes a hundred times as long.
  function note(call: NewCall): void {
    const {
      outcome,
      source,
      messageId,
      deliveries = NONE,
      filtered = NONE,
      refusal,
      warnings = NONE,
      calls = 1,
    } = call;
    const at = clock.wall();
    const number = latest + 1;
    const index = latest % MAX_RECENT_CALLS;
    ring[index] = { outcome, source, messageId, deliveries, filtered, refusal, warnings, calls, number, at };
    latest += 1;
  }

  function observe(event: RelayEvent): void {
    const call = callIn(event);
    if (call !== undefined) note(call);
  }

  function list({ after = 0, limit, ...filters }: RecentCallsQuery): RecentCallsPage {
    const oldest = Math.max(1, latest - MAX_RECENT_CALLS + 1);
    const calls: RecentCall[] = [];
    for (let number = latest; number >= oldest && number > after && calls.length < limit; number -= 1) {
      const call = ring[(number - 1) % MAX_RECENT_CALLS];
      if (call !== undefined && matches(call, filters)) calls.push(call);
    }
    return { calls, latest, missed: Math.max(0, oldest - 1 - after) };
  }

  return { observe, noteUnknownKey: () => note({ outcome: "unknown-key" }), list };
}

type NewCall = Partial<RecentCall> & Pick<RecentCall, "outcome">;

/** The call of an event; undefined if the event is about no call. */
function callIn(event: RelayEvent): NewCall | undefined {
  const { kind } = event;
  if (kind === "accepted") {
    const { source, messageId, deliveries, filtered, warnings = NONE } = event;
    const outcome = deliveries.length > 0 ? "accepted" : "filtered";
    return { outcome, source, messageId, deliveries, filtered, warnings };
  }
  if (kind === "duplicate" || kind === "suppressed")
    return { outcome: kind, source: event.source, messageId: event.messageId };
  if (kind === "refused") {
    const { code, path } = event.refusal;
    return { outcome: kind, source: event.source, messageId: event.messageId, refusal: { code, path } };
  }
  return kind === "shed" ? { outcome: kind, source: event.source, calls: event.calls } : undefined;
}

function matches(call: RecentCall, { source, outcome, messageId }: Omit<RecentCallsQuery, "after" | "limit">): boolean {
  return (
    (source === undefined || call.source === source) &&
    (outcome === undefined || call.outcome === outcome) &&
    (messageId === undefined || call.messageId === messageId)
  );
}

const DEFAULT_LIMIT = 50;

const FILTERS: Fields<Required<RecentCallsQuery>> = {
  source: textField((id) => sourceId(id)),
  outcome: choiceField(INTAKE_OUTCOMES),
  messageId: textField(String),
  after: numberField(),
  limit: countField(MAX_RECENT_CALLS),
};

const FILTERED = objectSchema({
  destination: orNull(textSchema()),
  reason: unionSchema<FilterReason>({
    integrations: true,
    "destination-off": true,
    historical: true,
    "no-destination": true,
  }),
});

/** A call that has come in, in an answer: every key is always present, null if it does not apply. */
export interface CallJson extends Pick<RecentCall, "number" | "outcome" | "warnings" | "calls"> {
  readonly at: string;
  readonly source: string | null;
  readonly messageId: string | null;
  readonly deliveries: readonly string[];
  readonly filtered: readonly { readonly destination: string | null; readonly reason: FilterReason }[];
  readonly refusal: { readonly code: RefusalCode; readonly path: string } | null;
}

const CALL = component<CallJson>("Call", {
  number: integerSchema({ minimum: 1 }),
  at: instantSchema(),
  outcome: choiceSchema(INTAKE_OUTCOMES),
  source: orNull(textSchema()),
  messageId: orNull(textSchema()),
  deliveries: listSchema(textSchema()),
  filtered: listSchema(FILTERED),
  refusal: orNull(objectSchema({ code: choiceSchema(REFUSAL_CODES), path: textSchema() })),
  warnings: listSchema(objectSchema({ code: choiceSchema(WARNING_CODES), path: textSchema() })),
  calls: integerSchema({ minimum: 1 }),
});

const PAGE = objectSchema({ calls: listSchema(CALL), latest: integerSchema(), missed: integerSchema() });

export const LIST_CALLS: ApiOperation = {
  id: "listCalls",
  summary: "Lists the latest calls of this process, newest first.",
  readBy: "viewer",
  query: { fields: FILTERS },
  answer: { status: 200, description: "the latest calls and what came of each", schema: PAGE },
  refusals: ["not-found"],
};

/** Answers `{ calls, latest, missed }`, or 404 if the host remembers no calls. */
export function handleListCalls(recent: RecentCalls | undefined, query: string): Answer {
  if (recent === undefined) return notFoundAnswer();
  const filters = readQuery(query, FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  const { calls, latest, missed } = recent.list({ limit: DEFAULT_LIMIT, ...filters.value });
  return jsonAnswer(200, { calls: calls.map(describeCall), latest, missed } satisfies Of<typeof PAGE>);
}

function describeCall(call: RecentCall): CallJson {
  return {
    number: call.number,
    at: formatTimestamp(call.at),
    outcome: call.outcome,
    source: call.source ?? null,
    messageId: call.messageId ?? null,
    deliveries: call.deliveries,
    filtered: call.filtered,
    refusal: call.refusal ?? null,
    warnings: call.warnings,
    calls: call.calls,
  };
}
