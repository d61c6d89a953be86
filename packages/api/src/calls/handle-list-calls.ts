// GET /api/calls: the latest calls of this process, newest first: what came of each, and why.

import { type FilterReason, REFUSAL_CODES, sourceId, WARNING_CODES } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
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
} from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { choiceField, countField, type Fields, numberField, textField } from "../read-fields.js";
import { readQuery } from "../read-query.js";
import { problemAnswer } from "../refuse.js";
import {
  INTAKE_OUTCOMES,
  MAX_RECENT_CALLS,
  type RecentCall,
  type RecentCalls,
  type RecentCallsQuery,
} from "./recent-calls.js";

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
const CALL = component("Call", {
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
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const { calls, latest, missed } = recent.list({ limit: DEFAULT_LIMIT, ...read.value });
  return jsonAnswer(200, { calls: calls.map(describeCall), latest, missed } satisfies Of<typeof PAGE>);
}

function describeCall(call: RecentCall): Of<typeof CALL> {
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
