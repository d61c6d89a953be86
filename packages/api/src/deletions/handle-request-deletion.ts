// POST /api/deletions: deletes users, suppresses them, or ends their suppression. Answers once the request is in force.

import { type DeletionRequest, REGULATIONS, sourceId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { DeletionFault, Relay } from "@postrider/relay";
import { readObjectBody } from "../read-body.js";
import { choiceField, type Fields, listField } from "../read-fields.js";
import { notSupportedAnswer, problemAnswer, unavailableAnswer } from "../refuse.js";

const FIELDS: Fields<Required<DeletionRequest>> = {
  userIds: listField(String),
  regulation: choiceField(REGULATIONS),
  sources: listField((id) => sourceId(id)),
};

/** Answers `{ id }`. */
export async function handleRequestDeletion(relay: Pick<Relay, "requestDeletion">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, {
    fields: FIELDS,
    required: ["userIds", "regulation"],
    code: "bad-deletion",
  });
  if (request.kind === "refused") return request.answer;
  return relay.requestDeletion(request.value).match((id) => jsonAnswer(202, { id }), deletionFaultAnswer);
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
