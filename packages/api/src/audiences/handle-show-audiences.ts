// GET /api/audiences and GET /api/audiences/KEY: the audiences and the progress of their syncs.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { faultAnswer } from "../refuse.js";
import { noAudienceAnswer } from "./handle-create-audience.js";
import { AUDIENCE } from "./audience-json.js";
import { describeAudience } from "./describe-audience.js";
import type { ProgressByAudience } from "./progress-by-audience.js";

const AUDIENCES = objectSchema({ audiences: listSchema(AUDIENCE) });

export const LIST_AUDIENCES: ApiOperation = {
  id: "listAudiences",
  summary: "Lists the audiences, in the order of their keys.",
  readBy: "viewer",
  answer: { status: 200, description: "all of them", schema: AUDIENCES },
  refusals: ["store-unavailable"],
};

export const SHOW_AUDIENCE: ApiOperation = {
  id: "showAudience",
  summary: "Shows one audience and the progress of its syncs.",
  readBy: "viewer",
  answer: { status: 200, description: "one, with what its syncs do", schema: AUDIENCE },
  refusals: ["not-found", "store-unavailable"],
};

/** Answers `{ audiences }`, in the order of their keys. */
export async function handleListAudiences(
  relay: Pick<Relay, "audiences">,
  progress: ProgressByAudience,
): Promise<Answer> {
  return relay.audiences().match((records) => {
    const audiences = records.map((record) => describeAudience(record, progress.progressOf(record.key)));
    return jsonAnswer(200, { audiences } satisfies Of<typeof AUDIENCES>);
  }, faultAnswer);
}

/** Answers one audience, in the same form as in the list. */
export async function handleShowAudience(
  relay: Pick<Relay, "audience">,
  progress: ProgressByAudience,
  key: string,
): Promise<Answer> {
  return relay
    .audience(key)
    .match(
      (record) =>
        record === undefined ? noAudienceAnswer() : jsonAnswer(200, describeAudience(record, progress.progressOf(key))),
      faultAnswer,
    );
}
