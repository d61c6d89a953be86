// POST /api/settings/probe: whether the endpoints of a destination could be reached, by settings that are not in force. Looks up
// names, vets addresses and shakes hands by TLS; sends no request.

import { destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, notFoundAnswer, type RequestBody } from "@postrider/http";
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
import { testFaultAnswer } from "../handle-test-destination.js";
import { PROBLEMS } from "../problem-list.js";
import { readObjectBody } from "../read-body.js";
import { type Fields, textField } from "../read-fields.js";
import { problemsAnswer } from "./handle-put-settings.js";
import { orUnavailable } from "./handle-show-settings.js";
import type { DraftProbeOutcome, EndpointFinding, SettingsDesk } from "./settings-desk.js";

/** A destination of settings that are not in force. */
export interface DraftDestination {
  readonly settings: unknown;
  readonly destination: ReturnType<typeof destinationId>;
}

export const DRAFT_DESTINATION: Fields<DraftDestination> = {
  settings: { expected: "settings", schema: anyObjectSchema(), read: (value) => value },
  destination: textField((id) => destinationId(id)),
};

const BODY = {
  kind: "json",
  fields: DRAFT_DESTINATION,
  required: ["settings", "destination"],
  code: "bad-test",
} as const;

const FOUND = objectSchema({
  findings: listSchema(
    objectSchema({
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
  body: BODY,
  answer: { status: 200, description: "whether its endpoints can be reached", schema: FOUND },
  refusals: ["bad-settings", "not-found", "overloaded", "store-unavailable"],
  beside: { "bad-settings": { problems: PROBLEMS, more: integerSchema() } },
};

/** Answers a finding for each endpoint, or 422 with the problems of the settings. */
export async function handleProbeSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const read = await readObjectBody(body, BODY);
  if (read.kind === "refused") return read.answer;
  const { settings: document, destination } = read.value;
  return orUnavailable(async () => outcomeAnswer(await desk.probe({ document, destination })));
}

function outcomeAnswer(outcome: DraftProbeOutcome): Answer {
  switch (outcome.kind) {
    case "probed":
      return jsonAnswer(200, { findings: outcome.findings.map(describeFinding) } satisfies Of<typeof FOUND>);
    case "failed":
      return testFaultAnswer(outcome.fault);
    case "invalid":
      return problemsAnswer(outcome);
  }
}

function describeFinding({ kind, code, path, message, change }: EndpointFinding) {
  return { kind, code, path, message, change: change ?? null };
}
