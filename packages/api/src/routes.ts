// The table of the API: which handler answers which method and path. Handlers know the relay; none of
// them checks a token.

import { deletionId, deliveryId, destinationId } from "@postrider/core";
import type { Answer, IncomingRequest, RequestHead } from "@postrider/http";
import type { Audiences, Deletions, LaneRequests, Relay, ReplayJobs } from "@postrider/relay";
import { handleCreateAudience } from "./audiences/handle-create-audience.js";
import type { ProgressByAudience } from "./audiences/progress-by-audience.js";
import { handleSetDestinations } from "./audiences/handle-set-destinations.js";
import { handleListAudiences, handleShowAudience } from "./audiences/handle-show-audiences.js";
import { handleSyncAudience } from "./audiences/handle-sync-audience.js";
import { handleListCalls } from "./calls/handle-list-calls.js";
import type { RecentCalls } from "./calls/recent-calls.js";
import { handleListDeletions } from "./deletions/handle-list-deletions.js";
import { handleListSuppressed } from "./deletions/handle-list-suppressed.js";
import { handleRequestDeletion } from "./deletions/handle-request-deletion.js";
import { handleShowDeletion } from "./deletions/handle-show-deletion.js";
import { handleCountDeliveries } from "./handle-count-deliveries.js";
import { handleExplainDelivery } from "./handle-explain-delivery.js";
import { handleForget, handleLaneRequest } from "./handle-lane-requests.js";
import { handleListDeliveries } from "./handle-list-deliveries.js";
import { handleListLanes } from "./handle-list-lanes.js";
import { handleListSeen } from "./handle-list-seen.js";
import { handleListSources } from "./handle-list-sources.js";
import { handleReload, type Reload } from "./handle-reload.js";
import { handleReplayMany } from "./handle-replay-many.js";
import { handleReplayOne } from "./handle-replay-one.js";
import { handleShowDelivery } from "./handle-show-delivery.js";
import { type CallerUsage, handleShowStats } from "./handle-show-stats.js";
import { handleTestDestination } from "./handle-test-destination.js";
import {
  handleCancelReplay,
  handleListReplayJobs,
  handlePreviewReplay,
  handleShowReplayJob,
  handleStartReplay,
} from "./replays/handle-replay-jobs.js";

export type ApiRelay = Pick<
  Relay,
  | "delivery"
  | "deliveries"
  | "explain"
  | "forget"
  | "health"
  | "lanes"
  | "replay"
  | "replayMany"
  | "seen"
  | "test"
  | "usage"
  | "workspace"
> &
  Audiences &
  Deletions &
  LaneRequests &
  ReplayJobs;

/** The arguments of all handlers beside the request. */
export interface ApiParts {
  readonly relay: ApiRelay;
  readonly progress: ProgressByAudience;
  readonly held: () => CallerUsage | undefined;
  /** Undefined if the host remembers no calls. */
  readonly calls: RecentCalls | undefined;
  /** Undefined if the host cannot read its settings again. */
  readonly reload: Reload | undefined;
}

/** `name` is the part of the path at the star of the pattern; '' if the pattern has no star. */
type RouteHandler = (parts: ApiParts, request: IncomingRequest, name: string) => Answer | Promise<Answer>;

type Method = "GET" | "POST";

export interface ApiRoute {
  readonly method: Method;
  readonly path: RegExp;
  readonly handle: RouteHandler;
  /** Whether the body is a list of members, which may have any length. */
  readonly isUpload: boolean;
}

export type FoundRoute =
  | { readonly kind: "found"; readonly route: ApiRoute; readonly name: string }
  /** The path has routes, but for other methods. */
  | { readonly kind: "wrong-method"; readonly allowed: readonly Method[] }
  | { readonly kind: "nothing" };

/** The path that exists only with `reload`. */
export const RELOAD_PATH = "/api/reload";

/** All paths in `ROUTES` begin with this. */
const ROOT = "/api/";

export const ROUTES: readonly ApiRoute[] = [
  get("/api/stats", ({ relay, held }) => handleShowStats(relay, held())),
  get("/api/sources", ({ relay }, { query }) => handleListSources(relay.workspace(), query)),
  get("/api/seen", ({ relay }, { query }) => handleListSeen(relay, query)),
  get("/api/deliveries", ({ relay }, { query }) => handleListDeliveries(relay, query)),
  get("/api/deliveries/count", ({ relay }, { query }) => handleCountDeliveries(relay, query)),
  get("/api/deliveries/*", ({ relay }, _request, id) => handleShowDelivery(relay, deliveryId(id))),
  get("/api/deliveries/*/why", ({ relay }, _request, id) => handleExplainDelivery(relay, deliveryId(id))),
  post("/api/deliveries/*/replay", ({ relay }, _request, id) => handleReplayOne(relay, deliveryId(id))),
  get("/api/calls", ({ calls }, { query }) => handleListCalls(calls, query)),
  get("/api/lanes", ({ relay }) => handleListLanes(relay)),
  post("/api/lanes/*/pause", ({ relay }, _request, id) => handleLaneRequest(relay, "pause", destinationId(id))),
  post("/api/lanes/*/resume", ({ relay }, _request, id) => handleLaneRequest(relay, "resume", destinationId(id))),
  post("/api/lanes/*/probe", ({ relay }, _request, id) => handleLaneRequest(relay, "probe", destinationId(id))),
  post("/api/lanes/*/forget", ({ relay }, _request, id) => handleForget(relay, destinationId(id))),
  post("/api/destinations/*/test", ({ relay }, { body }, id) => handleTestDestination(relay, destinationId(id), body)),
  post("/api/replay", ({ relay }, { body }) => handleReplayMany(relay, body)),
  post("/api/replay-jobs", ({ relay }, { body }) => handleStartReplay(relay, body)),
  post("/api/replay-jobs/preview", ({ relay }, { body }) => handlePreviewReplay(relay, body)),
  get("/api/replay-jobs", ({ relay }) => handleListReplayJobs(relay)),
  get("/api/replay-jobs/*", ({ relay }, _request, id) => handleShowReplayJob(relay, id)),
  post("/api/replay-jobs/*/cancel", ({ relay }, _request, id) => handleCancelReplay(relay, id)),
  post(RELOAD_PATH, ({ reload }) => handleReload(reload)),
  post("/api/deletions", ({ relay }, { body }) => handleRequestDeletion(relay, body)),
  get("/api/deletions", ({ relay }, { query }) => handleListDeletions(relay, query)),
  get("/api/deletions/*", ({ relay }, _request, id) => handleShowDeletion(relay, deletionId(id))),
  get("/api/suppressed", ({ relay }, { query }) => handleListSuppressed(relay, query)),
  post("/api/audiences", ({ relay }, { body }) => handleCreateAudience(relay, body)),
  get("/api/audiences", ({ relay, progress }) => handleListAudiences(relay, progress)),
  get("/api/audiences/*", ({ relay, progress }, _request, key) => handleShowAudience(relay, progress, key)),
  post("/api/audiences/*/destinations", ({ relay }, { body }, key) => handleSetDestinations(relay, key, body)),
  upload("/api/audiences/*/sync", ({ relay, progress }, request, key) =>
    handleSyncAudience({ relay, progress, key }, request),
  ),
];

/** The route of a request. */
export function findRoute({ method, path }: RequestHead): FoundRoute {
  // A server calls `isUpload` for every request, and the paths of most requests are those of ingest.
  if (!path.startsWith(ROOT)) return { kind: "nothing" };
  const found = ROUTES.flatMap((route) => {
    const name = nameIn(path, route.path);
    return name === undefined ? [] : [{ route, name }];
  });
  const asked = found.find(({ route }) => route.method === method);
  if (asked !== undefined) return { kind: "found", ...asked };
  return found.length === 0
    ? { kind: "nothing" }
    : { kind: "wrong-method", allowed: found.map(({ route }) => route.method) };
}

/**
 * Whether the body of a request is a list of members, which may have any length. Pass it to a listener as `isStreamed`.
 */
export function isUpload(head: RequestHead): boolean {
  const found = findRoute(head);
  return found.kind === "found" && found.route.isUpload;
}

function get(pattern: string, handle: RouteHandler): ApiRoute {
  return { method: "GET", path: pathOf(pattern), handle, isUpload: false };
}

function post(pattern: string, handle: RouteHandler): ApiRoute {
  return { method: "POST", path: pathOf(pattern), handle, isUpload: false };
}

function upload(pattern: string, handle: RouteHandler): ApiRoute {
  return { method: "POST", path: pathOf(pattern), handle, isUpload: true };
}

function pathOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace("*", "([^/]+)")}$`);
}

/** The part of the path at the star, '' without a star; undefined if the path does not match. */
function nameIn(path: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(path);
  return found === null ? undefined : unescapeName(found[1] ?? "");
}

function unescapeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
