// POST /api/settings/test: sends a test event to a destination of settings that are not in force, and answers what its endpoints
// answered. Nothing of it is stored.

import { type Answer, notFoundAnswer, type RequestBody } from "@postrider/http";
import { anyObjectSchema, integerSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { answerReport, TEST_REPORT, testFaultAnswer } from "../handle-test-destination.js";
import { PROBLEMS } from "../problem-list.js";
import { readObjectBody } from "../read-body.js";
import type { Fields } from "../read-fields.js";
import { DRAFT_DESTINATION, type DraftDestination } from "./handle-probe-settings.js";
import { problemsAnswer } from "./handle-put-settings.js";
import { orUnavailable } from "./handle-show-settings.js";
import type { DraftTestOutcome, SettingsDesk } from "./settings-desk.js";

const FIELDS: Fields<DraftDestination & { readonly call: unknown }> = {
  ...DRAFT_DESTINATION,
  call: { expected: "a call", schema: anyObjectSchema(), read: (value) => value },
};

const BODY = { kind: "json", fields: FIELDS, required: ["settings", "destination"], code: "bad-test" } as const;

export const TEST_SETTINGS: ApiOperation = {
  id: "testSettings",
  summary: "Sends a test event to a destination of settings that are not in force.",
  body: BODY,
  answer: { status: 200, description: "what its endpoints answer to a test event", schema: TEST_REPORT },
  refusals: ["bad-settings", "not-found", "overloaded", "store-unavailable"],
  beside: { "bad-settings": { problems: PROBLEMS, more: integerSchema() } },
};

/** Answers as for a destination in force, or 422 with the problems of the settings. */
export async function handleTestSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const read = await readObjectBody(body, BODY);
  if (read.kind === "refused") return read.answer;
  const { settings: document, destination, call } = read.value;
  return orUnavailable(async () => outcomeAnswer(await desk.test({ document, destination, call })));
}

function outcomeAnswer(outcome: DraftTestOutcome): Answer {
  switch (outcome.kind) {
    case "sent":
      return answerReport(outcome.report);
    case "failed":
      return testFaultAnswer(outcome.fault);
    case "invalid":
      return problemsAnswer(outcome);
  }
}
