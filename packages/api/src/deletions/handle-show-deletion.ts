// GET /api/deletions/ID: the progress of one deletion request.

import type { DeletionId } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { faultAnswer, refuse } from "../refuse.js";
import type { ApiOperation } from "../contract/operation.js";
import { DELETION, describeDeletion } from "./describe-deletion.js";

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
