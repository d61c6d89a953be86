// GET /api/seen: whether a call with this messageId was accepted within the dedupe window, even if it was filtered and has
// no delivery (decision: seen message ids).

import { type SeenMessage, type SeenQuery, sourceId } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import {
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  type Of,
  textSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { type Fields, textField } from "./read-fields.js";
import { readQuery } from "./read-query.js";
import { faultAnswer, problemAnswer } from "./refuse.js";

const FILTERS: Fields<Required<SeenQuery>> = {
  messageId: textField(String),
  source: textField((id) => sourceId(id)),
};

const SEEN_CALL = component("SeenCall", {
  source: textSchema(),
  messageId: textSchema(),
  seenAt: instantSchema(),
  deliveries: integerSchema(),
});
const SEEN = objectSchema({ seen: listSchema(SEEN_CALL) });

export const LIST_SEEN: ApiOperation = {
  id: "listSeen",
  summary: "Tells whether a call was accepted within the dedupe window, even if it was filtered.",
  readBy: "viewer",
  query: { fields: FILTERS, required: ["messageId"] },
  answer: { status: 200, description: "what was accepted of late under a messageId", schema: SEEN },
  refusals: ["store-unavailable"],
};

/** Answers `{ seen }`: at most one entry for each source, in any order. */
export async function handleListSeen(relay: Pick<Relay, "seen">, query: string): Promise<Answer> {
  const read = readQuery(query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  const { messageId, ...of } = read.value;
  if (messageId === undefined)
    return problemAnswer("bad-query", [{ path: "messageId", expected: FILTERS.messageId.expected }]);
  return relay.seen({ messageId, ...of }).match((messages) => {
    const seen = messages.map((message) => describeSeen(messageId, message));
    return jsonAnswer(200, { seen } satisfies Of<typeof SEEN>);
  }, faultAnswer);
}

function describeSeen(messageId: string, { source, seenAt, deliveries }: SeenMessage): Of<typeof SEEN_CALL> {
  return { source, messageId, seenAt: formatTimestamp(seenAt), deliveries };
}
