// POST /api/audiences: creates an audience or a computed trait. Its key never changes.

import { type AudienceDefinition, type AudienceRecord, type DestinationId, destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "@postrider/http";
import type { AudienceFault, Relay } from "@postrider/relay";
import { textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { readObjectBody } from "../read-body.js";
import { choiceField, type Fields, listField, textField } from "../read-fields.js";
import { notSupportedAnswer, problemAnswer, refuse, unavailableAnswer } from "../refuse.js";
import { AUDIENCE } from "./audience-json.js";
import { describeAudience } from "./describe-audience.js";

const FIELDS: Fields<AudienceDefinition> = {
  name: textField(String),
  kind: choiceField(["audience", "trait"]),
  sendsAs: choiceField(["identify", "track"]),
  destinations: listField((id) => destinationId(id)),
};

const BODY = { kind: "json", fields: FIELDS, required: ["name", "destinations"], code: "bad-audience" } as const;

export const CREATE_AUDIENCE: ApiOperation = {
  id: "createAudience",
  summary: "Creates an audience or a computed trait.",
  body: BODY,
  answer: {
    status: 201,
    description: "a new audience or computed trait",
    schema: AUDIENCE,
    headers: { Location: textSchema({ description: "its path" }) },
  },
  refusals: ["key-taken", "not-supported", "store-unavailable"],
};

/** Answers the audience, as `GET /api/audiences/KEY` does. */
export async function handleCreateAudience(relay: Pick<Relay, "createAudience">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
  if (request.kind === "refused") return request.answer;
  const definition = { kind: "audience", sendsAs: "identify", ...request.value } as const;
  return relay.createAudience(definition).match(
    (record) => jsonAnswer(201, describeAudience(record, undefined), [["Location", pathOf(record)]]),
    (fault) => audienceFaultAnswer(fault, definition.destinations),
  );
}

/** The answer to a definition or to destinations that the relay refuses. */
export function audienceFaultAnswer(fault: AudienceFault, destinations: readonly DestinationId[]): Answer {
  switch (fault.code) {
    case "empty-name":
      return problemAnswer("bad-audience", [{ path: "name", expected: "a name with a letter or a digit" }]);
    case "name-too-long":
      return problemAnswer("bad-audience", [{ path: "name", expected: "a shorter name" }]);
    case "unknown-destination": {
      const path = `destinations[${String(destinations.indexOf(fault.destination))}]`;
      return problemAnswer("bad-audience", [{ path, expected: "the id of a destination" }]);
    }
    case "key-taken":
      return refuse(409, fault.code, "another audience, or a field of messages, has the key that this name leads to");
    case "unknown-audience":
      return noAudienceAnswer();
    case "not-supported":
      return notSupportedAnswer("audiences");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return unavailableAnswer();
  }
}

/** 404: no such audience. */
export function noAudienceAnswer(): Answer {
  return refuse(404, "not-found", "there is no audience with this key");
}

function pathOf({ key }: AudienceRecord): string {
  return `/api/audiences/${encodeURIComponent(key)}`;
}
