// POST and GET /api/deletions, GET /api/deletions/ID and GET /api/suppressed: deletes and suppresses users, and shows the
// requests and the suppressed users. A POST is answered once its request is in force.

import {
  type DeletionRequest,
  REGULATIONS,
  sourceId,
  type DeletionId,
  deletionId,
  type DeletionQuery,
} from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "../../index.js";
import type { DeletionFault, Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of, textSchema, orNull } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import {
  readObjectBody,
  choiceField,
  type Fields,
  listField,
  countField,
  flagField,
  textField,
  readQuery,
} from "../read-request.js";
import { notSupportedAnswer, problemAnswer, unavailableAnswer, faultAnswer, refuse } from "../refuse.js";
import { DELETION, describeDeletion } from "./describe-deletion.js";

const FIELDS: Fields<Required<DeletionRequest>> = {
  // No `maxItems`: the bound of the relay counts each user once.
  userIds: { ...listField(String), schema: listSchema(textSchema({ minLength: 1 }), { minItems: 1 }) },
  regulation: choiceField(REGULATIONS),
  sources: listField((id) => sourceId(id)),
};

const BODY = { kind: "json", fields: FIELDS, required: ["userIds", "regulation"], code: "bad-deletion" } as const;

const REQUESTED = objectSchema({ id: textSchema() });

export const REQUEST_DELETION: ApiOperation = {
  id: "requestDeletion",
  summary: "Deletes users, suppresses them, or ends their suppression.",
  body: BODY,
  answer: { status: 202, description: "the id of a request that is in force", schema: REQUESTED },
  refusals: ["not-supported", "store-unavailable"],
};

/** Answers `{ id }`. */
export async function handleRequestDeletion(relay: Pick<Relay, "requestDeletion">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
  if (request.kind === "refused") return request.answer;
  return relay
    .requestDeletion(request.value)
    .match((id) => jsonAnswer(202, { id } satisfies Of<typeof REQUESTED>), deletionFaultAnswer);
}

function deletionFaultAnswer(fault: DeletionFault): Answer {
  switch (fault.code) {
    case "refused":
      return problemAnswer("bad-deletion", fault.problems);
    case "not-supported":
      return notSupportedAnswer("users");
    case "busy":
    case "full":
    case "unavailable":
    case "corrupt":
    case "stopped":
      return unavailableAnswer();
  }
}

export const SHOW_DELETION: ApiOperation = {
  id: "showDeletion",
  summary: "Shows how far one request about users has come.",
  readBy: "viewer",
  answer: { status: 200, description: "how far one has come", schema: DELETION },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers one request, in the same form as in the list. */
export async function handleShowDeletion(relay: Pick<Relay, "deletion">, id: DeletionId): Promise<Answer> {
  return relay
    .deletion(id)
    .match(
      (record) =>
        record === undefined
          ? refuse(404, "not-found", "there is no such deletion request")
          : jsonAnswer(200, describeDeletion(record)),
      faultAnswer,
    );
}

const DEFAULT_DELETIONS_LIMIT = 50;

const MAX_DELETIONS_LIMIT = 500;

const DELETIONS_FILTERS: Fields<Required<DeletionQuery>> = {
  unfinished: flagField(),
  after: textField((id) => deletionId(id)),
  limit: countField(MAX_DELETIONS_LIMIT),
};

const DELETIONS_PAGE = objectSchema({ deletions: listSchema(DELETION), next: orNull(textSchema()) });

export const LIST_DELETIONS: ApiOperation = {
  id: "listDeletions",
  summary: "Lists the requests about users, newest first.",
  readBy: "viewer",
  query: { fields: DELETIONS_FILTERS },
  answer: { status: 200, description: "a page of requests, newest first", schema: DELETIONS_PAGE },
  refusals: ["store-unavailable"],
};

/** Answers `{ deletions, next }`. */
export async function handleListDeletions(relay: Pick<Relay, "deletionRequests">, query: string): Promise<Answer> {
  const filters = readQuery(query, DELETIONS_FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  return relay.deletionRequests({ limit: DEFAULT_DELETIONS_LIMIT, ...filters.value }).match(({ deletions, more }) => {
    const next = more ? (deletions.at(-1)?.id ?? null) : null;
    return jsonAnswer(200, { deletions: deletions.map(describeDeletion), next } satisfies Of<typeof DELETIONS_PAGE>);
  }, faultAnswer);
}

const DEFAULT_SUPPRESSED_LIMIT = 500;

const MAX_SUPPRESSED_LIMIT = 5_000;

const SUPPRESSED_FILTERS: Fields<{ readonly after: string; readonly limit: number }> = {
  after: textField(String),
  limit: countField(MAX_SUPPRESSED_LIMIT),
};

const SUPPRESSED_PAGE = objectSchema({ userIds: listSchema(textSchema()), next: orNull(textSchema()) });

export const LIST_SUPPRESSED: ApiOperation = {
  id: "listSuppressed",
  summary: "Lists the users whose calls are not stored.",
  readBy: "viewer",
  query: { fields: SUPPRESSED_FILTERS },
  answer: { status: 200, description: "a page of the users whose calls are not kept", schema: SUPPRESSED_PAGE },
  refusals: ["store-unavailable"],
};

/** Answers `{ userIds, next }`. The page that follows a full page may be empty. */
export async function handleListSuppressed(relay: Pick<Relay, "suppressed">, query: string): Promise<Answer> {
  const filters = readQuery(query, SUPPRESSED_FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  const page = { limit: DEFAULT_SUPPRESSED_LIMIT, ...filters.value };
  return relay.suppressed(page).match((userIds) => {
    const next = userIds.length < page.limit ? null : (userIds.at(-1) ?? null);
    return jsonAnswer(200, { userIds, next } satisfies Of<typeof SUPPRESSED_PAGE>);
  }, faultAnswer);
}
