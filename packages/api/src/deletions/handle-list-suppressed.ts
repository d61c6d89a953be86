// GET /api/suppressed: a page of the users whose calls are not stored.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { countField, type Fields, textField } from "../read-fields.js";
import { readQuery } from "../read-query.js";
import { faultAnswer, problemAnswer } from "../refuse.js";

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 5_000;

const FILTERS: Fields<{ readonly after: string; readonly limit: number }> = {
  after: textField(String),
  limit: countField(MAX_LIMIT),
};

/** Answers `{ userIds, next }`. The page that follows a full page may be empty. */
export async function handleListSuppressed(relay: Pick<Relay, "suppressed">, query: string): Promise<Answer> {
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const page = { limit: DEFAULT_LIMIT, ...read.value };
  return relay.suppressed(page).match((userIds) => {
    const next = userIds.length < page.limit ? null : (userIds.at(-1) ?? null);
    return jsonAnswer(200, { userIds, next });
  }, faultAnswer);
}
