// GET /api/calls: the latest calls of this process, newest first: what came of each, and why.

import { sourceId } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
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

/** Answers `{ calls, latest, missed }`, or 404 if the host remembers no calls. */
export function handleListCalls(recent: RecentCalls | undefined, query: string): Answer {
  if (recent === undefined) return notFoundAnswer();
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const { calls, latest, missed } = recent.list({ limit: DEFAULT_LIMIT, ...read.value });
  return jsonAnswer(200, { calls: calls.map(describeCall), latest, missed });
}

function describeCall(call: RecentCall): object {
  return {
    number: call.number,
    at: formatTimestamp(call.at),
    outcome: call.outcome,
    source: call.source ?? null,
    messageId: call.messageId ?? null,
    deliveries: call.deliveries,
    filtered: call.filtered,
    refusal: call.refusal ?? null,
    calls: call.calls,
  };
}
