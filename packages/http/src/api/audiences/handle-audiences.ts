// POST and GET /api/audiences, GET /api/audiences/KEY, POST /api/audiences/KEY/destinations: creates and shows
// audiences, and sets where their members go. handle-sync-audience.ts uploads members.

import { type AudienceDefinition, type AudienceRecord, type DestinationId, destinationId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "../../index.js";
import type { AudienceFault, Relay } from "@postrider/relay";
import { textSchema, listSchema, objectSchema, type Of } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { readObjectBody, choiceField, type Fields, listField, textField } from "../read-request.js";
import { notSupportedAnswer, problemAnswer, refuse, unavailableAnswer, faultAnswer } from "../refuse.js";
import { AUDIENCE, describeAudience, type ProgressByAudience } from "./audience-json.js";

const CREATE_FIELDS: Fields<AudienceDefinition> = {
  name: textField(String),
  kind: choiceField(["audience", "trait"]),
  sendsAs: choiceField(["identify", "track"]),
  destinations: listField((id) => destinationId(id)),
};

const CREATE_BODY = {
  kind: "json",
  fields: CREATE_FIELDS,
  required: ["name", "destinations"],
  code: "bad-audience",
} as const;

export const CREATE_AUDIENCE: ApiOperation = {
  id: "createAudience",
  summary: "Creates an audience or a computed trait.",
  body: CREATE_BODY,
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
  const request = await readObjectBody(body, CREATE_BODY);
  if (request.kind === "refused") return request.answer;
  const definition = { kind: "audience", sendsAs: "identify", ...request.value } as const;
  return relay.createAudience(definition).match(
    (record) => jsonAnswer(201, describeAudience(record, undefined), [["Location", pathOf(record)]]),
    (fault) => audienceFaultAnswer(fault, definition.destinations),
  );
}

function pathOf({ key }: AudienceRecord): string {
  return `/api/audiences/${encodeURIComponent(key)}`;
}

const DESTINATIONS_FIELDS: Fields<{ readonly destinations: readonly DestinationId[] }> = {
  destinations: listField((id) => destinationId(id)),
};

const DESTINATIONS_BODY = {
  kind: "json",
  fields: DESTINATIONS_FIELDS,
  required: ["destinations"],
  code: "bad-audience",
} as const;

export const SET_DESTINATIONS: ApiOperation = {
  id: "setAudienceDestinations",
  summary: "Sets the destinations that an audience has from its next sync on.",
  body: DESTINATIONS_BODY,
  answer: { status: 200, description: "the audience, which tells others from then on", schema: AUDIENCE },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

/** Answers the audience, as `GET /api/audiences/KEY` does. */
export async function handleSetDestinations(
  relay: Pick<Relay, "setAudienceDestinations">,
  key: string,
  body: RequestBody,
): Promise<Answer> {
  const request = await readObjectBody(body, DESTINATIONS_BODY);
  if (request.kind === "refused") return request.answer;
  const { destinations } = request.value;
  return relay.setAudienceDestinations(key, destinations).match(
    (record) => jsonAnswer(200, describeAudience(record, undefined)),
    (fault) => audienceFaultAnswer(fault, destinations),
  );
}

const AUDIENCES = objectSchema({ audiences: listSchema(AUDIENCE) });

export const LIST_AUDIENCES: ApiOperation = {
  id: "listAudiences",
  summary: "Lists the audiences, in the order of their keys.",
  readBy: "viewer",
  answer: { status: 200, description: "all of them", schema: AUDIENCES },
  refusals: ["store-unavailable"],
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

export const SHOW_AUDIENCE: ApiOperation = {
  id: "showAudience",
  summary: "Shows one audience and the progress of its syncs.",
  readBy: "viewer",
  answer: { status: 200, description: "one, with what its syncs do", schema: AUDIENCE },
  refusals: ["not-found", "store-unavailable"],
};

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

/** The answer to a definition or to destinations that the relay refuses. */
function audienceFaultAnswer(fault: AudienceFault, destinations: readonly DestinationId[]): Answer {
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
