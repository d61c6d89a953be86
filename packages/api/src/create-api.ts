// The JSON API of a relay: what happened to which delivery, and deliver it again. Reads and asks, decides nothing;
// answers are for one operator with the token, so that no other origin may read them and nobody may keep them
// (decision: json api).

import type { Secret } from "@postrider/core";
import { type Answer, type Handler, type IncomingRequest, methodAnswer, notFoundAnswer } from "@postrider/ingest";
import type { Relay } from "@postrider/relay";
import { authorise } from "./authorise.js";
import { showHealth } from "./health.js";
import { listDeliveries } from "./list-deliveries.js";
import { replayMany } from "./replay-many.js";
import { replayOne } from "./replay-one.js";
import { type ApiRoute, methodOf, routeOf } from "./routes.js";
import { showDelivery } from "./show-delivery.js";
import { showStats } from "./stats.js";

type ApiRelay = Pick<Relay, "delivery" | "deliveries" | "health" | "replay" | "replayMany" | "stats">;

export interface ApiOptions {
  readonly relay: ApiRelay;
  /** Who bears it may use the API; without one it is off. As a function it is asked anew for each request. */
  readonly apiToken?: Secret | (() => Secret | undefined);
}

/** Answers `/healthz` and everything under `/api`. */
export function createApi({ relay, apiToken }: ApiOptions): Handler {
  const tokenInForce = typeof apiToken === "function" ? apiToken : (): Secret | undefined => apiToken;
  return async (request) => {
    const answer =
      request.path === "/healthz" ? answerHealth(relay, request) : await answerApi(relay, tokenInForce(), request);
    return { ...answer, headers: [...answer.headers, ["Cache-Control", "no-store"]] };
  };
}

function answerHealth(relay: ApiRelay, { method }: IncomingRequest): Answer {
  return method === "GET" ? showHealth(relay.health()) : methodAnswer(["GET"]);
}

async function answerApi(relay: ApiRelay, token: Secret | undefined, request: IncomingRequest): Promise<Answer> {
  const refusal = authorise(token, request.headers.get("authorization"));
  if (refusal !== undefined) return refusal;
  const route = routeOf(request.path);
  if (route === undefined) return notFoundAnswer();
  const method = methodOf(route);
  return request.method === method ? answerRoute(relay, route, request) : methodAnswer([method]);
}

function answerRoute(relay: ApiRelay, route: ApiRoute, request: IncomingRequest): Promise<Answer> {
  switch (route.kind) {
    case "stats":
      return showStats(relay);
    case "list-deliveries":
      return listDeliveries(relay, request.query);
    case "show-delivery":
      return showDelivery(relay, route.id);
    case "replay-one":
      return replayOne(relay, route.id);
    case "replay-many":
      return replayMany(relay, request.body);
  }
}
