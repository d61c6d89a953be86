// GET /api/suppressed: a page of the users whose calls are not stored.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of, orNull, textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { countField, type Fields, textField } from "../read-fields.js";
import { readQuery } from "../read-query.js";
import { faultAnswer, problemAnswer } from "../refuse.js";

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 5_000;

const FILTERS: Fields<{ readonly after: string; readonly limit: number }> = {
  after: textField(String),
  limit: countField(MAX_LIMIT),
};

const PAGE = objectSchema({ userIds: listSchema(textSchema()), next: orNull(textSchema()) });

export const LIST_SUPPRESSED: ApiOperation = {
  id: "listSuppressed",
  summary: "Lists the users whose calls are not stored.",
  readBy: "viewer",
  query: { fields: FILTERS },
  answer: { status: 200, description: "a page of the users whose calls are not kept", schema: PAGE },
  refusals: ["store-unavailable"],
};

/** Answers `{ userIds, next }`. The page that follows a full page may be empty. */
export async function handleListSuppressed(relay: Pick<Relay, "suppressed">, query: string): Promise<Answer> {
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const page = { limit: DEFAULT_LIMIT, ...read.value };
  return relay.suppressed(page).match((userIds) => {
    const next = userIds.length < page.limit ? null : (userIds.at(-1) ?? null);
    return jsonAnswer(200, { userIds, next } satisfies Of<typeof PAGE>);
  }, faultAnswer);
}
