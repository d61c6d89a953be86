// POST /api/replay: delivers dead deliveries of one destination again, up to a limit. To continue, repeat the request.

import { DEAD_REASONS, destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { Relay, ReplayRequest } from "@postrider/relay";
import { readObjectBody } from "./read-body.js";
import { choiceField, countField, type Fields, instantField, textField } from "./read-fields.js";
import { faultAnswer } from "./refuse.js";

const MAX_REPLAY = 10_000;

const FIELDS: Fields<Required<ReplayRequest>> = {
  destination: textField((id) => destinationId(id)),
  reason: choiceField(DEAD_REASONS),
  since: instantField(),
  until: instantField(),
  limit: countField(MAX_REPLAY),
};

/** Answers `{ replayed, more }`. */
export async function handleReplayMany(relay: Pick<Relay, "replayMany">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, { fields: FIELDS, required: ["destination"], code: "bad-replay" });
  if (request.kind === "refused") return request.answer;
  return relay
    .replayMany(request.value)
    .match(({ replayed, more }) => jsonAnswer(202, { replayed, more }), faultAnswer);
}
