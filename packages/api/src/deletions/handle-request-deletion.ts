// POST /api/deletions: deletes users, suppresses them, or ends their suppression. Answers once the request is in force.

import { type DeletionRequest, REGULATIONS, sourceId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { DeletionFault, Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of, textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { readObjectBody } from "../read-body.js";
import { choiceField, type Fields, listField } from "../read-fields.js";
import { notSupportedAnswer, problemAnswer, unavailableAnswer } from "../refuse.js";

const FIELDS: Fields<Required<DeletionRequest>> = {
  // The bound counts each user once.
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
