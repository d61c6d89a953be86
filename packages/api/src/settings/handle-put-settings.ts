// PUT /api/settings and POST /api/settings/check: a document that is to be the next revision, and one that is only looked at. A put
// names the revision that its editor has seen in `If-Match`, so that no editor overwrites what another has just changed.

import { type Answer, jsonAnswer, notFoundAnswer, type IncomingRequest, type RequestBody } from "@postrider/http";
import { defined } from "@postrider/core/engine";
import { flagSchema, integerSchema, objectSchema, type Of, textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { PROBLEMS, refuseProblems } from "../problem-list.js";
import { readAnyBody } from "../read-body.js";
import { readQuery } from "../read-query.js";
import { type ApiCode, docsOf, problemAnswer, refuse } from "../refuse.js";
import { orUnavailable } from "./handle-show-settings.js";
import type { SettingsCheck, SettingsDesk, SettingsOutcome } from "./settings-desk.js";
import { ACTOR, DOCUMENT_BODY } from "./settings-json.js";

const STORED = objectSchema({ revision: integerSchema() });
const CHECKED = objectSchema({ valid: flagSchema() });
const FIELDS = { actor: ACTOR };
const BESIDE = { "bad-settings": { problems: PROBLEMS, more: integerSchema() } };

export const PUT_SETTINGS: ApiOperation = {
  id: "putSettings",
  summary: "Puts settings into the store, for all servers on it.",
  query: { fields: FIELDS },
  headers: { "If-Match": textSchema({ description: "the revision that this one is to replace; 0 for the first" }) },
  body: DOCUMENT_BODY,
  answer: {
    status: 200,
    description: "the revision, which all servers have in force within two seconds",
    schema: STORED,
    headers: { ETag: textSchema() },
  },
  refusals: ["revision-required", "stale-revision", "settings-in-file", "not-found", "store-unavailable"],
  beside: { ...BESIDE, "stale-revision": { revision: integerSchema() } },
};

export const CHECK_SETTINGS: ApiOperation = {
  id: "checkSettings",
  summary: "Checks settings, and changes nothing.",
  readBy: "operator",
  body: DOCUMENT_BODY,
  answer: { status: 200, description: "this server could use the settings", schema: CHECKED },
  refusals: ["not-found"],
  beside: BESIDE,
};

/** Answers `{ revision }`, or 409, 412, 422 or 428. */
export async function handlePutSettings(desk: SettingsDesk | undefined, request: IncomingRequest): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  if (desk.owner === "file") return inFileAnswer();
  const query = readQuery(request.query, FIELDS);
  if (query.kind === "refused") return problemAnswer("bad-query", query.problems);
  const match = request.headers.get("if-match");
  if (match === undefined || match.trim() === "*") return refuse(428, "revision-required", REQUIRED);
  const body = await readAnyBody(request.body);
  if (body.kind === "refused") return body.answer;
  return orUnavailable(async () => {
    const edit = { expect: revisionIn(match), document: body.value, ...defined({ actor: query.value.actor }) };
    return outcomeAnswer(await desk.put(edit));
  });
}

/** Answers `{ valid: true }`, or 422. */
export async function handleCheckSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const read = await readAnyBody(body);
  if (read.kind === "refused") return read.answer;
  const checked = await desk.check(read.value);
  if (checked.problems.length > 0) return problemsAnswer(checked);
  const valid: Of<typeof CHECKED> = { valid: true };
  return jsonAnswer(200, valid);
}

const REQUIRED = 'name the revision that is to be replaced: If-Match: "7", as the ETag of GET /api/settings has it';

/** No revision is -1. */
function revisionIn(match: string): number {
  const [, digits] = /^\s*"?(\d{1,15})"?\s*$/.exec(match) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

function outcomeAnswer(outcome: SettingsOutcome): Answer {
  switch (outcome.kind) {
    case "stored": {
      const stored: Of<typeof STORED> = { revision: outcome.revision };
      return jsonAnswer(200, stored, [["ETag", `"${String(outcome.revision)}"`]]);
    }
    case "stale":
      return staleAnswer(outcome.revision);
    case "invalid":
      return problemsAnswer(outcome);
    case "file":
      return inFileAnswer();
  }
}

function inFileAnswer(): Answer {
  const message = 'the settings are those of the config file of this server, which does not say "settings": "store"';
  return refuse(409, "settings-in-file", message);
}

function staleAnswer(revision: number): Answer {
  const code = "stale-revision" satisfies ApiCode;
  const message = `the settings have changed meanwhile: the latest revision is ${String(revision)}`;
  return jsonAnswer(412, { success: false, code, message, error: { code, message, docs: docsOf(code) }, revision });
}

/** 422 with the problems of settings. */
export function problemsAnswer({ problems }: SettingsCheck): Answer {
  const say = (amount: string): string => `the settings have ${amount}, and nothing has changed`;
  return refuseProblems(problems, { code: "bad-settings", say });
}
