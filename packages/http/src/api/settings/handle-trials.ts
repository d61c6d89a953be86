// POST /api/settings/probe and POST /api/settings/test: tries a destination of settings that are not in force. A probe looks
// up names, vets addresses and shakes hands by TLS; a test sends one event and stores nothing.

import { destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, notFoundAnswer, type RequestBody } from "../../index.js";
import {
  anyObjectSchema,
  choiceSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type Of,
  orNull,
  textSchema,
} from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { testFaultAnswer, answerReport, TEST_REPORT } from "../handle-test-destination.js";
import { PROBLEMS } from "./settings-json.js";
import { readObjectBody, type Fields, textField } from "../read-request.js";
import { problemsAnswer, orUnavailable } from "./handle-settings.js";
import type { DraftProbeOutcome, EndpointFinding, SettingsDesk, DraftTestOutcome } from "./settings-desk.js";

const DRAFT_DESTINATION: Fields<DraftDestination> = {
  settings: { expected: "settings", schema: anyObjectSchema(), read: (value) => value },
  destination: textField((id) => destinationId(id)),
};

/** A destination of settings that are not in force. */
interface DraftDestination {
  readonly settings: unknown;
  readonly destination: ReturnType<typeof destinationId>;
}

const PROBE_BODY = {
  kind: "json",
  fields: DRAFT_DESTINATION,
  required: ["settings", "destination"],
  code: "bad-test",
} as const;

/** The finding at an endpoint, in an answer. */
export interface FindingJson extends Omit<EndpointFinding, "change"> {
  readonly change: string | null;
}

const FINDINGS = objectSchema({
  findings: listSchema(
    objectSchema<FindingJson>({
      kind: choiceSchema(["fault", "warning", "ok"]),
      code: textSchema(),
      path: textSchema(),
      message: textSchema(),
      change: orNull(textSchema()),
    }),
  ),
});

export const PROBE_SETTINGS: ApiOperation = {
  id: "probeSettings",
  summary: "Shakes hands with the endpoints of a destination of settings that are not in force. Sends no request.",
  body: PROBE_BODY,
  answer: { status: 200, description: "whether its endpoints can be reached", schema: FINDINGS },
  refusals: ["bad-settings", "not-found", "overloaded", "store-unavailable"],
  beside: { "bad-settings": { problems: PROBLEMS, more: integerSchema() } },
};

/** Answers a finding for each endpoint, or 422 with the problems of the settings. */
export async function handleProbeSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const request = await readObjectBody(body, PROBE_BODY);
  if (request.kind === "refused") return request.answer;
  const { settings: document, destination } = request.value;
  return orUnavailable(async () => probeOutcomeAnswer(await desk.probe({ document, destination })));
}

function probeOutcomeAnswer(outcome: DraftProbeOutcome): Answer {
  switch (outcome.kind) {
    case "probed":
      return jsonAnswer(200, { findings: outcome.findings.map(describeFinding) } satisfies Of<typeof FINDINGS>);
    case "failed":
      return testFaultAnswer(outcome.fault);
    case "invalid":
      return problemsAnswer(outcome);
  }
}

function describeFinding({ kind, code, path, message, change }: EndpointFinding): FindingJson {
  return { kind, code, path, message, change: change ?? null };
}

const TEST_FIELDS: Fields<DraftDestination & { readonly call: unknown }> = {
  ...DRAFT_DESTINATION,
  call: { expected: "a call", schema: anyObjectSchema(), read: (value) => value },
};

const TEST_BODY = {
  kind: "json",
  fields: TEST_FIELDS,
  required: ["settings", "destination"],
  code: "bad-test",
} as const;

export const TEST_SETTINGS: ApiOperation = {
  id: "testSettings",
  summary: "Sends a test event to a destination of settings that are not in force.",
  body: TEST_BODY,
  answer: { status: 200, description: "what its endpoints answer to a test event", schema: TEST_REPORT },
  refusals: ["bad-settings", "not-found", "overloaded", "store-unavailable"],
  beside: { "bad-settings": { problems: PROBLEMS, more: integerSchema() } },
};

/** Answers as for a destination in force, or 422 with the problems of the settings. */
export async function handleTestSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const request = await readObjectBody(body, TEST_BODY);
  if (request.kind === "refused") return request.answer;
  const { settings: document, destination, call } = request.value;
  return orUnavailable(async () => testOutcomeAnswer(await desk.test({ document, destination, call })));
}

function testOutcomeAnswer(outcome: DraftTestOutcome): Answer {
  switch (outcome.kind) {
    case "sent":
      return answerReport(outcome.report);
    case "failed":
      return testFaultAnswer(outcome.fault);
    case "invalid":
      return problemsAnswer(outcome);
  }
}
