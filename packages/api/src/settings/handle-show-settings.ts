// GET /api/settings and GET /api/settings/history: the settings that a server has, and who has changed them. No answer has a secret:
// a document has none, and those of a file are hidden.

import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
import { formatTimestamp } from "@postrider/core/engine";
import { textSchema, type Of } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { showProblems } from "../problem-list.js";
import { readQuery } from "../read-query.js";
import { problemAnswer, refuse, unavailableAnswer } from "../refuse.js";
import { describeChange, HISTORY, REVISION, SETTINGS } from "./settings-json.js";
import type { SettingsDesk, ShownSettings } from "./settings-desk.js";

const FIELDS = { revision: REVISION };

export const SHOW_SETTINGS: ApiOperation = {
  id: "showSettings",
  summary: "Shows the settings, or those of an earlier revision.",
  readBy: "viewer",
  query: { fields: FIELDS },
  answer: {
    status: 200,
    description: "the settings, without secrets; `ETag` is the revision, for `If-Match`",
    schema: SETTINGS,
    headers: { ETag: textSchema() },
  },
  refusals: ["not-found", "store-unavailable"],
};

export const SHOW_SETTINGS_HISTORY: ApiOperation = {
  id: "showSettingsHistory",
  summary: "Lists the revisions of the settings that are kept.",
  readBy: "viewer",
  answer: { status: 200, description: "who has changed the settings, the latest first", schema: HISTORY },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers `{ owner, revision, actor, changedAt, locked, inForce, refused, document }`. */
export async function handleShowSettings(desk: SettingsDesk | undefined, query: string): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  const read = readQuery(query, FIELDS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  return orUnavailable(async () => {
    const shown = await desk.show(read.value.revision);
    if (shown === undefined) return refuse(404, "not-found", "this revision of the settings is not kept");
    const { revision = null } = shown;
    return jsonAnswer(200, describe(desk, shown), [["ETag", revision === null ? '"file"' : `"${String(revision)}"`]]);
  });
}

/** Answers `{ revisions }`. */
export async function handleShowSettingsHistory(desk: SettingsDesk | undefined): Promise<Answer> {
  if (desk === undefined) return notFoundAnswer();
  return orUnavailable(async () => {
    const history: Of<typeof HISTORY> = { revisions: (await desk.history()).map(describeChange) };
    return jsonAnswer(200, history);
  });
}

function describe(desk: SettingsDesk, { revision, actor, changedAt, document }: ShownSettings): Of<typeof SETTINGS> {
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

/** 503 if the store fails: what was asked may still take effect. */
export async function orUnavailable(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch {
    return unavailableAnswer();
  }
}
