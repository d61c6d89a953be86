// The JSON API of a relay: shows deliveries, replays them, deletes or suppresses users, creates and syncs audiences.
// All paths but /healthz need the operator's token, so answers are neither shared with other origins nor cached
// (decision: json api). routes.ts decides which handler answers which path.

import type { Clock, Secret } from "@postrider/core";
import { type Answer, type Handler, type IncomingRequest, wrongMethodAnswer, notFoundAnswer } from "../index.js";
import type { ApiParts, ApiRelay } from "./api-parts.js";
import { createTokenGate } from "./admit.js";
import { createProgressByAudience } from "./audiences/audience-json.js";
import type { RecentCalls } from "./recent-calls.js";
import type { RecentEvents } from "./events/recent-events.js";
import type { Reload } from "./handle-reload.js";
import { handleShowHealth } from "./handle-show-server.js";
import type { ReadableSeries, CallerUsage } from "./handle-stats.js";
import { findRoute, HEALTH_PATH, RELOAD_PATH } from "./routes.js";
import type { SettingsDesk } from "./settings/settings-desk.js";
import { MAX_EXPORTS, createPlaces } from "./export-user.js";

/** The parts that the API shows: the relay, and the memory of its host. */
export interface TrustedApiOptions {
  readonly relay: ApiRelay;
  /** Counts open connections, requests and their memory, for `GET /api/stats`. If absent, `callers` is null there. */
  readonly held?: () => CallerUsage;
  /** The latest calls, for `GET /api/calls`. If absent, the answer there is 404. */
  readonly calls?: RecentCalls;
  /** The latest events, for `GET /api/events`. If absent, the answer there is 404. */
  readonly events?: RecentEvents;
  /** The course of the metrics over time, for `GET /api/series`. If absent, the answer there is 404. */
  readonly series?: ReadableSeries;
  /**
   * Reads the settings again, for `POST /api/reload`. If absent, there is no such path. Must not reject.
   */
  readonly reload?: Reload;
  /** The settings of the host, for the paths under `/api/settings`. If absent, the answer there is 404. */
  readonly desk?: SettingsDesk;
  /** The version of the program that this API is part of, for `GET /api/version`. If absent, `program` is null there. */
  readonly program?: string;
  /**
   * The name of this server, in the header `Postrider-Server` of answers to callers with the token, and in `GET /api/version`. Each of
   * several servers on one store shows the calls, events and series of its process. Absent: no header, and null.
   */
  readonly server?: string;
  /** The reason for which the listening process cannot work, shown by `GET /healthz`; undefined while the process can work. */
  readonly fault?: () => string | undefined;
}

/** The options of `createApi`: the parts that it shows, the token of callers, and bounds on callers. */
export interface ApiOptions extends TrustedApiOptions {
  /**
   * The token that callers have to show. Without a token, the API is off. If it is a function, it is called for each
   * request.
   */
  readonly apiToken?: Secret | (() => Secret | undefined);
  /**
   * Slows down addresses that show wrong tokens, as ingest does for unknown keys. Without a clock, no address is slowed
   * down.
   */
  readonly clock?: Pick<Clock, "monotonic">;
  /** Called for each request that shows no token or a wrong one, while `apiToken` is set. */
  readonly onWrongToken?: () => void;
}

/**
 * Creates the handler of `/healthz` and of all paths under `/api`. The listener should stream the requests for which
 * `isUpload`, which this package exports as well, returns true.
 */
export function createApi({ apiToken, clock, onWrongToken, ...shown }: ApiOptions): Handler {
  const trusted = createTrustedApi(shown);
  const { refusalOf, knows } = createTokenGate({ token: apiToken, clock, onWrongToken, part: "api" });
  const handle = async (request: IncomingRequest): Promise<Answer> => {
    const refusal = request.path === HEALTH_PATH ? undefined : refusalOf(request);
    return refusal === undefined ? trusted(request) : uncached(refusal);
  };
  return Object.assign(handle, { knows });
}

/** Creates the same handler without a token: for a host that has checked each caller itself, as the console does. */
export function createTrustedApi({ relay, held, server, fault, ...shown }: TrustedApiOptions): Handler {
  const parts: ApiParts = {
    relay,
    progress: createProgressByAudience(),
    exportPlaces: createPlaces(MAX_EXPORTS),
    callerUsage: () => held?.(),
    calls: shown.calls,
    events: shown.events,
    series: shown.series,
    reload: shown.reload,
    desk: shown.desk,
    program: shown.program,
    server,
  };
  const serverHeader: Answer["headers"] = server === undefined ? [] : [["Postrider-Server", server]];
  return async (request) => {
    if (request.path !== HEALTH_PATH) return uncached(withHeaders(await answerApi(parts, request), serverHeader));
    return uncached(answerHealth(() => handleShowHealth(relay.health(), fault?.()), request));
  };
}

function uncached(answer: Answer): Answer {
  return withHeaders(answer, [["Cache-Control", "no-store"]]);
}

function withHeaders(answer: Answer, more: Answer["headers"]): Answer {
  return { ...answer, headers: [...answer.headers, ...more] };
}

function answerHealth(show: () => Answer, { method }: IncomingRequest): Answer {
  return method === "GET" ? show() : wrongMethodAnswer(["GET"]);
}

async function answerApi(parts: ApiParts, request: IncomingRequest): Promise<Answer> {
  if (request.path === RELOAD_PATH && parts.reload === undefined) return notFoundAnswer();
  const match = findRoute(request);
  switch (match.kind) {
    case "nothing":
      return notFoundAnswer();
    case "wrong-method":
      return wrongMethodAnswer(match.allowed);
    case "found":
      return match.route.handle(parts, request, match.name);
  }
}
