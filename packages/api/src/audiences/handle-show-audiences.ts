// GET /api/audiences and GET /api/audiences/KEY: the audiences and the progress of their syncs.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "../refuse.js";
import { noAudienceAnswer } from "./handle-create-audience.js";
import { describeAudience } from "./describe-audience.js";
import type { ProgressByAudience } from "./progress-by-audience.js";

/** Answers `{ audiences }`, in the order of their keys. */
export async function handleListAudiences(
  relay: Pick<Relay, "audiences">,
  progress: ProgressByAudience,
): Promise<Answer> {
  return relay.audiences().match(
    (records) =>
      jsonAnswer(200, {
        audiences: records.map((record) => describeAudience(record, progress.progressOf(record.key))),
      }),
    faultAnswer,
  );
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
