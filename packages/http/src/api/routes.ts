// The table of the API: a handler for each method and path. No handler checks a token.

import { deletionId, deliveryId, destinationId } from "@postrider/core";
import type { Answer, IncomingRequest, RequestHead } from "../index.js";
import {
  CREATE_AUDIENCE,
  handleCreateAudience,
  SET_DESTINATIONS,
  handleSetDestinations,
  SHOW_AUDIENCE,
  LIST_AUDIENCES,
  handleListAudiences,
  handleShowAudience,
} from "./audiences/handle-audiences.js";
import { SYNC_AUDIENCE, handleSyncAudience } from "./audiences/handle-sync-audience.js";
import { LIST_CALLS, handleListCalls } from "./recent-calls.js";
import type { ApiParts } from "./api-parts.js";
import type { DescribedRoute, ApiOperation, ReadBy } from "./contract/operation.js";
import {
  LIST_DELETIONS,
  handleListDeletions,
  LIST_SUPPRESSED,
  handleListSuppressed,
  REQUEST_DELETION,
  handleRequestDeletion,
  SHOW_DELETION,
  handleShowDeletion,
} from "./deletions/handle-deletions.js";
import { handleStreamEvents, STREAM_EVENTS } from "./events/stream-events.js";
import {
  COUNT_DELIVERIES,
  handleCountDeliveries,
  LIST_DELIVERIES,
  handleListDeliveries,
  handleShowRequests,
  SHOW_REQUESTS,
} from "./handle-deliveries.js";
import { EXPLAIN_DELIVERY, handleExplainDelivery } from "./handle-explain-delivery.js";
import {
  FORGET_LANE,
  PROBE_LANE,
  RESUME_LANE,
  PAUSE_LANE,
  handleForget,
  handleLaneRequest,
  LIST_LANES,
  handleListLanes,
} from "./handle-lanes.js";
import { LIST_SEEN, handleListSeen, LIST_SOURCES, handleListSources } from "./handle-sources.js";
import { RELOAD, handleReload } from "./handle-reload.js";
import {
  REPLAY_MANY,
  handleReplayMany,
  REPLAY_ONE,
  handleReplayOne,
  handleCancelReplay,
  handleListReplayJobs,
  handlePreviewReplay,
  handleShowReplayJob,
  handleStartReplay,
} from "./replays/handle-replays.js";
import { SHOW_DELIVERY, handleShowDelivery } from "./handle-show-delivery.js";
import { SHOW_HEALTH, handleShowOpenapi, SHOW_OPENAPI, handleShowVersion, SHOW_VERSION } from "./handle-show-server.js";
import { handleShowSeries, SHOW_SERIES, SHOW_STATS, handleShowStats } from "./handle-stats.js";
import { handleTestDestination, TEST_DESTINATION } from "./handle-test-destination.js";
import { handleProbeSettings, PROBE_SETTINGS, handleTestSettings, TEST_SETTINGS } from "./settings/handle-trials.js";
import {
  CHECK_SETTINGS,
  handleCheckSettings,
  handlePutSettings,
  PUT_SETTINGS,
  handleShowSettings,
  handleShowSettingsHistory,
  SHOW_SETTINGS,
  SHOW_SETTINGS_HISTORY,
} from "./settings/handle-settings.js";
import { EXPORT_USER, handleExportUser } from "./export-user.js";
import {
  CANCEL_REPLAY,
  LIST_REPLAY_JOBS,
  PREVIEW_REPLAY,
  SHOW_REPLAY_JOB,
  START_REPLAY,
} from "./replays/replay-job-json.js";

/** `name` is the part of the path at the name in braces; '' if the template has none. */
type RouteHandler = (parts: ApiParts, request: IncomingRequest, name: string) => Answer | Promise<Answer>;

export interface ApiRoute extends DescribedRoute {
  readonly path: RegExp;
  readonly handle: RouteHandler;
  /** True if the body is a list of members, which may have any length. */
  readonly isUpload: boolean;
}

export type FoundRoute =
  | { readonly kind: "found"; readonly route: ApiRoute; readonly name: string }
  /** The path has routes, but for other methods. */
  | { readonly kind: "wrong-method"; readonly allowed: readonly DescribedRoute["method"][] }
  | { readonly kind: "nothing" };

/** The path that exists only with `reload`. */
export const RELOAD_PATH = "/api/reload";

/** The only path that is shown without a token. */
export const HEALTH_PATH = "/healthz";

/** All paths in `ROUTES` begin with this. */
const ROOT = "/api/";

export const ROUTES: readonly ApiRoute[] = [
  get("/api/version", SHOW_VERSION, ({ program, server }) => handleShowVersion(program, server)),
  get("/api/openapi.json", SHOW_OPENAPI, () => handleShowOpenapi(DESCRIBED)),
  get("/api/stats", SHOW_STATS, ({ relay, callerUsage }) => handleShowStats(relay, callerUsage())),
  get("/api/sources", LIST_SOURCES, ({ relay }, { query }) => handleListSources(relay.workspace(), query)),
  get("/api/seen", LIST_SEEN, ({ relay }, { query }) => handleListSeen(relay, query)),
  get("/api/deliveries", LIST_DELIVERIES, ({ relay }, { query }) => handleListDeliveries(relay, query)),
  get("/api/deliveries/count", COUNT_DELIVERIES, ({ relay }, { query }) => handleCountDeliveries(relay, query)),
  get("/api/deliveries/{id}", SHOW_DELIVERY, ({ relay }, _request, id) => handleShowDelivery(relay, deliveryId(id))),
  get("/api/deliveries/{id}/why", EXPLAIN_DELIVERY, ({ relay }, _request, id) =>
    handleExplainDelivery(relay, deliveryId(id)),
  ),
  get("/api/deliveries/{id}/requests", SHOW_REQUESTS, ({ relay }, _request, id) =>
    handleShowRequests(relay, deliveryId(id)),
  ),
  post("/api/deliveries/{id}/replay", REPLAY_ONE, ({ relay }, _request, id) => handleReplayOne(relay, deliveryId(id))),
  get("/api/calls", LIST_CALLS, ({ calls }, { query }) => handleListCalls(calls, query)),
  get("/api/events", STREAM_EVENTS, ({ events }, request) => handleStreamEvents(events, request)),
  get("/api/series", SHOW_SERIES, ({ series }, { query }) => handleShowSeries(series, query)),
  get("/api/lanes", LIST_LANES, ({ relay }) => handleListLanes(relay)),
  post("/api/lanes/{id}/pause", PAUSE_LANE, ({ relay }, _request, id) =>
    handleLaneRequest(relay, "pause", destinationId(id)),
  ),
  post("/api/lanes/{id}/resume", RESUME_LANE, ({ relay }, _request, id) =>
    handleLaneRequest(relay, "resume", destinationId(id)),
  ),
  post("/api/lanes/{id}/probe", PROBE_LANE, ({ relay }, _request, id) =>
    handleLaneRequest(relay, "probe", destinationId(id)),
  ),
  post("/api/lanes/{id}/forget", FORGET_LANE, ({ relay }, _request, id) => handleForget(relay, destinationId(id))),
  post("/api/destinations/{id}/test", TEST_DESTINATION, ({ relay }, { body }, id) =>
    handleTestDestination(relay, destinationId(id), body),
  ),
  post("/api/replay", REPLAY_MANY, ({ relay }, { body }) => handleReplayMany(relay, body)),
  post("/api/replay-jobs", START_REPLAY, ({ relay }, { body }) => handleStartReplay(relay, body)),
  get("/api/replay-jobs", LIST_REPLAY_JOBS, ({ relay }) => handleListReplayJobs(relay)),
  post("/api/replay-jobs/preview", PREVIEW_REPLAY, ({ relay }, { body }) => handlePreviewReplay(relay, body)),
  get("/api/replay-jobs/{id}", SHOW_REPLAY_JOB, ({ relay }, _request, id) => handleShowReplayJob(relay, id)),
  post("/api/replay-jobs/{id}/cancel", CANCEL_REPLAY, ({ relay }, _request, id) => handleCancelReplay(relay, id)),
  post(RELOAD_PATH, RELOAD, ({ reload }) => handleReload(reload)),
  get("/api/settings", SHOW_SETTINGS, ({ desk }, { query }) => handleShowSettings(desk, query)),
  { ...post("/api/settings", PUT_SETTINGS, ({ desk }, request) => handlePutSettings(desk, request)), method: "PUT" },
  get("/api/settings/history", SHOW_SETTINGS_HISTORY, ({ desk }) => handleShowSettingsHistory(desk)),
  post("/api/settings/check", CHECK_SETTINGS, ({ desk }, { body }) => handleCheckSettings(desk, body)),
  post("/api/settings/probe", PROBE_SETTINGS, ({ desk }, { body }) => handleProbeSettings(desk, body)),
  post("/api/settings/test", TEST_SETTINGS, ({ desk }, { body }) => handleTestSettings(desk, body)),
  post("/api/deletions", REQUEST_DELETION, ({ relay }, { body }) => handleRequestDeletion(relay, body)),
  get("/api/deletions", LIST_DELETIONS, ({ relay }, { query }) => handleListDeletions(relay, query)),
  get("/api/deletions/{id}", SHOW_DELETION, ({ relay }, _request, id) => handleShowDeletion(relay, deletionId(id))),
  get("/api/suppressed", LIST_SUPPRESSED, ({ relay }, { query }) => handleListSuppressed(relay, query)),
  get("/api/users/{id}/export", EXPORT_USER, ({ relay, exportPlaces }, _request, id) =>
    handleExportUser(relay, exportPlaces, id),
  ),
  post("/api/audiences", CREATE_AUDIENCE, ({ relay }, { body }) => handleCreateAudience(relay, body)),
  get("/api/audiences", LIST_AUDIENCES, ({ relay, progress }) => handleListAudiences(relay, progress)),
  get("/api/audiences/{key}", SHOW_AUDIENCE, ({ relay, progress }, _request, key) =>
    handleShowAudience(relay, progress, key),
  ),
  post("/api/audiences/{key}/destinations", SET_DESTINATIONS, ({ relay }, { body }, key) =>
    handleSetDestinations(relay, key, body),
  ),
  post("/api/audiences/{key}/sync", SYNC_AUDIENCE, ({ relay, progress }, request, key) =>
    handleSyncAudience({ relay, progress, key }, request),
  ),
];

/** The routes in the document of the API: the table, and the path that asks for no token. */
export const DESCRIBED: readonly DescribedRoute[] = [
  { method: "GET", template: HEALTH_PATH, operation: SHOW_HEALTH },
  ...ROUTES,
];

/** The route of a request. */
export function findRoute({ method, path }: RequestHead): FoundRoute {
  // A server calls `isUpload` for every request, and the paths of most requests are those of ingest.
  if (!path.startsWith(ROOT)) return { kind: "nothing" };
  const matches = ROUTES.flatMap((route) => {
    const name = nameIn(path, route.path);
    return name === undefined ? [] : [{ route, name }];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (match !== undefined) return { kind: "found", ...match };
  return matches.length === 0
    ? { kind: "nothing" }
    : { kind: "wrong-method", allowed: matches.map(({ route }) => route.method) };
}

/** The entry of the table for a request. */
export interface AskedOperation {
  /** As in the document of the API. */
  readonly id: string;
  /** The people who may ask for it; undefined for a change, which is for operators alone. */
  readonly readBy: ReadBy | undefined;
}

/** The operation that a request asks for; undefined if the API answers no such method and path. */
export function askedOperation(head: RequestHead): AskedOperation | undefined {
  const match = findRoute(head);
  const routed = match.kind === "found" ? match.route.operation : undefined;
  const operation = head.path === HEALTH_PATH && head.method === "GET" ? SHOW_HEALTH : routed;
  return operation && { id: operation.id, readBy: operation.readBy };
}

/** True if the body of a request is a list of members, which may have any length. Pass it to a listener as `isStreamed`. */
export function isUpload(head: RequestHead): boolean {
  const match = findRoute(head);
  return match.kind === "found" && match.route.isUpload;
}

function get(template: string, operation: ApiOperation, handle: RouteHandler): ApiRoute {
  return { method: "GET", template, path: patternOf(template), operation, handle, isUpload: false };
}

function post(template: string, operation: ApiOperation, handle: RouteHandler): ApiRoute {
  const isUpload = operation.body?.kind === "streamed";
  return { method: "POST", template, path: patternOf(template), operation, handle, isUpload };
}

/** The pattern of the paths of a template, which may have one name in braces. */
export function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/, "([^/]+)")}$`);
}

/** The part of the path at the name in braces, '' without one; undefined if the path does not match. */
export function nameIn(path: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(path);
  return match === null ? undefined : unescapeName(match[1] ?? "");
}

function unescapeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
