// POST /api/replay: delivers dead deliveries of one destination again, up to a limit. To continue, repeat the request.

import { DEAD_REASONS, destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { Relay, ReplayRequest } from "@postrider/relay";
import { flagSchema, integerSchema, objectSchema, type Of } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
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

const BODY = { kind: "json", fields: FIELDS, required: ["destination"], code: "bad-replay" } as const;
const REPLAYED = objectSchema({ replayed: integerSchema(), more: flagSchema() });

export const REPLAY_MANY: ApiOperation = {
  id: "replayDeliveries",
  summary: "Delivers dead deliveries of one destination again, newest first, up to a limit.",
  body: BODY,
  answer: { status: 202, description: "how many", schema: REPLAYED },
  refusals: ["destination-removed", "store-unavailable"],
};

/** Answers `{ replayed, more }`. */
export async function handleReplayMany(relay: Pick<Relay, "replayMany">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
  if (request.kind === "refused") return request.answer;
  return relay
    .replayMany(request.value)
    .match(({ replayed, more }) => jsonAnswer(202, { replayed, more } satisfies Of<typeof REPLAYED>), faultAnswer);
}
