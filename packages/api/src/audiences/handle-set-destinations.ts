// POST /api/audiences/KEY/destinations: sets the destinations that an audience has from its next sync on.

import { type DestinationId, destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import type { ApiOperation } from "../contract/operation.js";
import { readObjectBody } from "../read-body.js";
import { type Fields, listField } from "../read-fields.js";
import { audienceFaultAnswer } from "./handle-create-audience.js";
import { AUDIENCE } from "./audience-json.js";
import { describeAudience } from "./describe-audience.js";

const FIELDS: Fields<{ readonly destinations: readonly DestinationId[] }> = {
  destinations: listField((id) => destinationId(id)),
};

const BODY = { kind: "json", fields: FIELDS, required: ["destinations"], code: "bad-audience" } as const;

export const SET_DESTINATIONS: ApiOperation = {
  id: "setAudienceDestinations",
  summary: "Sets the destinations that an audience has from its next sync on.",
  body: BODY,
  answer: { status: 200, description: "the audience, which tells others from then on", schema: AUDIENCE },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

/** Answers the audience, as `GET /api/audiences/KEY` does. */
export async function handleSetDestinations(
  relay: Pick<Relay, "setAudienceDestinations">,
  key: string,
  body: RequestBody,
): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
  if (request.kind === "refused") return request.answer;
  const { destinations } = request.value;
  return relay.setAudienceDestinations(key, destinations).match(
    (record) => jsonAnswer(200, describeAudience(record, undefined)),
    (fault) => audienceFaultAnswer(fault, destinations),
  );
}
