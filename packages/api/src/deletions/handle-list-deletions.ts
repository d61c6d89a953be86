// GET /api/deletions: a page of deletion requests, newest first.

import { deletionId, type DeletionQuery } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of, orNull, textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { countField, type Fields, flagField, textField } from "../read-fields.js";
import { readQuery } from "../read-query.js";
import { faultAnswer, problemAnswer } from "../refuse.js";
import { DELETION, describeDeletion } from "./describe-deletion.js";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const FILTERS: Fields<Required<DeletionQuery>> = {
  unfinished: flagField(),
  after: textField((id) => deletionId(id)),
  limit: countField(MAX_LIMIT),
};

const PAGE = objectSchema({ deletions: listSchema(DELETION), next: orNull(textSchema()) });

export const LIST_DELETIONS: ApiOperation = {
  id: "listDeletions",
  summary: "Lists the requests about users, newest first.",
  readBy: "viewer",
  query: { fields: FILTERS },
  answer: { status: 200, description: "a page of requests, newest first", schema: PAGE },
  refusals: ["store-unavailable"],
};

/** Answers `{ deletions, next }`. */
export async function handleListDeletions(relay: Pick<Relay, "deletionRequests">, query: string): Promise<Answer> {
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  return relay.deletionRequests({ limit: DEFAULT_LIMIT, ...read.value }).match(({ deletions, more }) => {
    const next = more ? (deletions.at(-1)?.id ?? null) : null;
    return jsonAnswer(200, { deletions: deletions.map(describeDeletion), next } satisfies Of<typeof PAGE>);
  }, faultAnswer);
}
