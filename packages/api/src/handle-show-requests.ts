// GET /api/deliveries/ID/requests: the requests by which a delivery would go out now. Shows neither the values of static headers nor
// those of queries, which often are keys. Sends nothing.

import type { DeliveryId, HttpRequest } from "@postrider/core";
import { maskEndpoint } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { component, listSchema, objectSchema, type Of, textSchema, wordSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { faultAnswer, noDeliveryAnswer } from "./refuse.js";

const REQUESTS = component("DeliveryRequests", {
  id: textSchema(),
  requests: listSchema(
    objectSchema({
      method: wordSchema("POST"),
      url: textSchema(),
      headers: listSchema(objectSchema({ name: textSchema(), value: textSchema() })),
      body: textSchema(),
    }),
  ),
});

export const SHOW_REQUESTS: ApiOperation = {
  id: "showRequests",
  summary: "Shows the requests by which a delivery would go out now, one for each endpoint. Sends nothing.",
  readBy: "content",
  answer: { status: 200, description: "the requests by which it would go out now", schema: REQUESTS },
  refusals: ["not-found", "purged", "destination-removed", "store-unavailable"],
};

/** Answers `{ id, requests }`, each with its headers in the order in which they are sent. */
export async function handleShowRequests(relay: Pick<Relay, "requests">, id: DeliveryId): Promise<Answer> {
  return relay.requests(id).match((shown) => {
    if (shown === undefined) return noDeliveryAnswer();
    if (shown.kind !== "shown") return faultAnswer({ code: shown.kind });
    return jsonAnswer(200, { id, requests: shown.requests.map(describeRequest) } satisfies Of<typeof REQUESTS>);
  }, faultAnswer);
}

function describeRequest({ url, headers, body }: HttpRequest) {
  return {
    method: "POST",
    url: maskEndpoint(url),
    headers: headers.map(([name, value]) => ({ name, value })),
    body: new TextDecoder().decode(body),
  } as const;
}
