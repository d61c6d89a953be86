// GET and PUT /api/settings, GET /api/settings/history, POST /api/settings/check: shows, stores and checks settings. No
// answer has a secret. A put names in `If-Match` the revision that its editor has seen, so that no editor overwrites
// a change that it has not seen.

import { type Answer, jsonAnswer, notFoundAnswer, type IncomingRequest, type RequestBody } from "../../index.js";
import { formatTimestamp, defined } from "@postrider/core/engine";
import { textSchema, type Of, flagSchema, integerSchema, objectSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import {
  showProblems,
  PROBLEMS,
  refuseProblems,
  describeChange,
  HISTORY,
  REVISION,
  SETTINGS,
  ACTOR,
  DOCUMENT_BODY,
} from "./settings-json.js";
import { readQuery, readAnyBody } from "../read-request.js";
import { problemAnswer, refuse, unavailableAnswer, type ApiCode, docsOf } from "../refuse.js";
import type { SettingsDesk, ShownSettings, SettingsCheck, SettingsOutcome } from "./settings-desk.js";

const SHOW_FIELDS = { revision: REVISION };

export const SHOW_SETTINGS: ApiOperation = {
  id: "showSettings",
  summary: "Shows the settings, or those of an earlier revision.",
  readBy: "viewer",
  query: { fields: SHOW_FIELDS },
  answer: {
    status: 200,
    description: "the settings, without secrets; `ETag` is the revision, for `If-Match`",
    schema: SETTINGS,
    headers: { ETag: textSchema() },
  },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers `{ owner, revision, actor, changedAt, locked, inForce, refused, document }`. */
export async function handleShowSettings(desk: SettingsDesk | undefined, query: string): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const fields = readQuery(query, SHOW_FIELDS);
  if (fields.kind === "refused") return problemAnswer("bad-query", fields.problems);
  return orUnavailable(async () => {
    const settings = await desk.show(fields.value.revision);
    if (settings === undefined) return refuse(404, "not-found", "this revision of the settings is not kept");
    const { revision = null } = settings;
    return jsonAnswer(200, describeSettings(desk, settings), [
      ["ETag", revision === null ? '"file"' : `"${String(revision)}"`],
    ]);
  });
}

function describeSettings(
  desk: SettingsDesk,
  { revision, actor, changedAt, document }: ShownSettings,
): Of<typeof SETTINGS> {
  const refused = desk.refused();
  return {
    owner: desk.owner,
    revision: revision ?? null,
    actor: actor ?? null,
    changedAt: changedAt === undefined ? null : formatTimestamp(changedAt),
    locked: desk.locked(),
    inForce: desk.inForce() ?? null,
    refused: refused === undefined ? null : { revision: refused.revision, problems: showProblems(refused.problems) },
    document,
  };
}

export const SHOW_SETTINGS_HISTORY: ApiOperation = {
  id: "showSettingsHistory",
  summary: "Lists the revisions of the settings that are kept.",
  readBy: "viewer",
  answer: { status: 200, description: "who has changed the settings, the latest first", schema: HISTORY },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers `{ revisions }`. */
export async function handleShowSettingsHistory(desk: SettingsDesk | undefined): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  return orUnavailable(async () => {
    const history: Of<typeof HISTORY> = { revisions: (await desk.history()).map(describeChange) };
    return jsonAnswer(200, history);
  });
}

const STORED = objectSchema({ revision: integerSchema() });

const PUT_FIELDS = { actor: ACTOR };

const BESIDE = { "bad-settings": { problems: PROBLEMS, more: integerSchema() } };

export const PUT_SETTINGS: ApiOperation = {
  id: "putSettings",
  summary: "Puts settings into the store, for all servers on it.",
  query: { fields: PUT_FIELDS },
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

const REQUIRED = 'name the revision that is to be replaced: If-Match: "7", as the ETag of GET /api/settings has it';

/** Answers `{ revision }`, or 409, 412, 422 or 428. */
export async function handlePutSettings(desk: SettingsDesk | undefined, request: IncomingRequest): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  if (desk.owner === "file") return inFileAnswer();
  const query = readQuery(request.query, PUT_FIELDS);
  if (query.kind === "refused") return problemAnswer("bad-query", query.problems);
  const ifMatch = request.headers.get("if-match");
  if (ifMatch === undefined || ifMatch.trim() === "*") return refuse(428, "revision-required", REQUIRED);
  const body = await readAnyBody(request.body);
  if (body.kind === "refused") return body.answer;
  return orUnavailable(async () => {
    const edit = { expect: revisionIn(ifMatch), document: body.value, ...defined({ actor: query.value.actor }) };
    return outcomeAnswer(await desk.put(edit));
  });
}

/** The revision that `If-Match` names; -1, which is no revision, if it names none. */
function revisionIn(ifMatch: string): number {
  const [, digits] = /^\s*"?(\d{1,15})"?\s*$/.exec(ifMatch) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

function outcomeAnswer(outcome: SettingsOutcome): Answer {
  switch (outcome.kind) {
    case "stored": {
      const answer: Of<typeof STORED> = { revision: outcome.revision };
      return jsonAnswer(200, answer, [["ETag", `"${String(outcome.revision)}"`]]);
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

const CHECKED = objectSchema({ valid: flagSchema() });

export const CHECK_SETTINGS: ApiOperation = {
  id: "checkSettings",
  summary: "Checks settings, and changes nothing.",
  readBy: "operator",
  body: DOCUMENT_BODY,
  answer: { status: 200, description: "this server could use the settings", schema: CHECKED },
  refusals: ["not-found"],
  beside: BESIDE,
};

/** Answers `{ valid: true }`, or 422. */
export async function handleCheckSettings(desk: SettingsDesk | undefined, body: RequestBody): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const document = await readAnyBody(body);
  if (document.kind === "refused") return document.answer;
  const checked = await desk.check(document.value);
  if (checked.problems.length > 0) return problemsAnswer(checked);
  const valid: Of<typeof CHECKED> = { valid: true };
  return jsonAnswer(200, valid);
}

/** 422 with the problems of settings. */
export function problemsAnswer({ problems }: SettingsCheck): Answer {
  const say = (amount: string): string => `the settings have ${amount}, and nothing has changed`;
  return refuseProblems(problems, { code: "bad-settings", say });
}

/** 503 if the store fails: the request may still take effect. */
export async function orUnavailable(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch {
    return unavailableAnswer();
  }
}
