// The JSON API of a relay: what happened to which delivery, deliver it again, delete or block users, keep audiences. Reads
// and asks, decides nothing; answers are for one operator with the token, so that no other origin may read them and nobody
// may keep them (decision: json api).

import type { Clock, Secret } from "@postrider/core";
import {
  type Answer,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  methodAnswer,
  notFoundAnswer,
} from "@postrider/http";
import type { Audiences, Deletions, Relay } from "@postrider/relay";
import { createAudience } from "./audiences/create-audience.js";
import { setDestinations } from "./audiences/set-destinations.js";
import { listAudiences, showAudience } from "./audiences/show-audiences.js";
import { syncAudience } from "./audiences/sync-audience.js";
import { createSyncBook, type SyncBook } from "./audiences/progress-by-audience.js";
import { authorise } from "./authorise.js";
import { createAdmit } from "./admit.js";
import { listDeletions } from "./deletions/list-deletions.js";
import { listSuppressed } from "./deletions/list-suppressed.js";
import { requestDeletion } from "./deletions/request-deletion.js";
import { showDeletion } from "./deletions/show-deletion.js";
import { showHealth } from "./health.js";
import { listDeliveries } from "./list-deliveries.js";
import { listSeen } from "./list-seen.js";
import { listSources } from "./list-sources.js";
import { replayMany } from "./replay-many.js";
import { replayOne } from "./replay-one.js";
import { type ApiRoute, findRoute } from "./routes.js";
import { showDelivery } from "./show-delivery.js";
import { type HeldByCallers, showStats } from "./stats.js";

type ApiRelay = Pick<
  Relay,
  "delivery" | "deliveries" | "health" | "replay" | "replayMany" | "seen" | "usage" | "workspace"
> &
  Audiences &
  Deletions;

export interface ApiOptions {
  readonly relay: ApiRelay;
  /** Who bears it may use the API; without one it is off. As a function it is asked anew for each request. */
  readonly apiToken?: Secret | (() => Secret | undefined);
  /** Slows down addresses that show wrong tokens, as the way in does with unknown keys. Without it nobody is slowed. */
  readonly clock?: Pick<Clock, "monotonic">;
  /** Called whenever a request shows no token or a wrong one. */
  readonly onWrongToken?: () => void;
  /** What callers hold of the process that listens, for the counters. Not told if absent. */
  readonly held?: () => HeldByCallers;
  /** Why the process that listens cannot do its work, for the health; undefined while it can. */
  readonly fault?: () => string | undefined;
}

/** Answers `/healthz` and everything under `/api`. The listener should stream what `isUpload` names. */
export function createApi({ relay, apiToken, held, fault, clock, onWrongToken }: ApiOptions): Handler {
  const asked: Asked = { relay, book: createSyncBook(), held: () => held?.() };
  const tokenInForce = typeof apiToken === "function" ? apiToken : (): Secret | undefined => apiToken;
  const admit = createAdmit({ clock, onWrongToken });
  const handle = async (request: IncomingRequest): Promise<Answer> => {
    const answer =
      request.path === "/healthz"
        ? answerHealth(() => showHealth(relay.health(), fault?.()), request)
        : (admit(tokenInForce(), request) ?? (await answerApi(asked, request)));
    return { ...answer, headers: [...answer.headers, ["Cache-Control", "no-store"]] };
  };
  return Object.assign(handle, {
    knows: ({ headers }: IncomingHead) => authorise(tokenInForce(), headers.get("authorization")) === undefined,
  });
}

function answerHealth(show: () => Answer, { method }: IncomingRequest): Answer {
  return method === "GET" ? show() : methodAnswer(["GET"]);
}

interface Asked {
  readonly relay: ApiRelay;
  readonly book: SyncBook;
  readonly held: () => HeldByCallers | undefined;
}

async function answerApi(asked: Asked, request: IncomingRequest): Promise<Answer> {
  const found = findRoute(request);
  switch (found.kind) {
    case "nothing":
      return notFoundAnswer();
    case "wrong-method":
      return methodAnswer(found.allowed);
    case "found":
      return answerRoute(asked, found.route, request);
  }
}

function answerRoute(
  { relay, book, held }: Asked,
  route: ApiRoute,
  request: IncomingRequest,
): Answer | Promise<Answer> {
  switch (route.kind) {
    case "stats":
      return showStats(relay, held());
    case "list-sources":
      return listSources(relay.workspace(), request.query);
    case "list-seen":
      return listSeen(relay, request.query);
    case "list-deliveries":
      return listDeliveries(relay, request.query);
    case "show-delivery":
      return showDelivery(relay, route.id);
    case "replay-one":
      return replayOne(relay, route.id);
    case "replay-many":
      return replayMany(relay, request.body);
    case "request-deletion":
      return requestDeletion(relay, request.body);
    case "list-deletions":
      return listDeletions(relay, request.query);
    case "show-deletion":
      return showDeletion(relay, route.id);
    case "list-suppressed":
      return listSuppressed(relay, request.query);
    case "create-audience":
      return createAudience(relay, request.body);
    case "list-audiences":
      return listAudiences(relay, book);
    case "show-audience":
      return showAudience(relay, book, route.key);
    case "set-destinations":
      return setDestinations(relay, route.key, request.body);
    case "sync-audience":
      return syncAudience({ relay, book, key: route.key }, request);
  }
}
