// The HTTP front that Segment's libraries call: selects how a request is answered, by its path and method, and lets pages
// of any origin call it. No path of ingest reads a cookie, and callers are known by their key (decisions: http front,
// details of calls). handle-calls.ts handles calls.

import type { Clock } from "@postrider/core";
import {
  type Answer,
  createByteBudget,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  wrongMethodAnswer,
  notFoundAnswer,
  rateLimitedAnswer,
  jsonAnswer,
} from "../index.js";
import type { Relay, RelayEvent } from "@postrider/relay";
import { createCallerLookup, createSourceLimits } from "./sources.js";
import { MAX_UNZIPPED_BYTES, PREFLIGHT_AGE_S } from "./limits.js";
import { createParseCapacity } from "./parse-capacity.js";
import { methodOf, routeOf, pathNameOf } from "./routes.js";
import { type CallHandlerParts, handleCalls, knowsCaller } from "./handle-calls.js";

/** The options of `createIngest`: the relay that gets the calls, clocks, and functions that are told of requests. */
export interface IngestOptions {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  /**
   * The wall clock is for the `Retry-After` of a shed call, the monotonic clock for the limits of sources and
   * addresses.
   */
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /**
   * If given, the work of large requests is spread over turns of the event loop, by timers without delay. These timers
   * should let the event loop poll its sockets before they fire.
   */
  readonly timers?: Pick<Clock, "after">;
  /**
   * Called when a request shows no write key or an unknown one; not called if the request is refused before its key is
   * looked up. Any caller can cause this as often as it likes.
   */
  readonly onUnknownKey?: () => void;
  /** Receives an `answered` event for each request that has an answer. If absent, nothing is measured. */
  readonly observe?: (event: RelayEvent) => void;
}

/**
 * Creates the handler of all paths under `/v1` and `/beacon/v1`. Its answer to calls is 200 only once the accepted
 * calls are stored.
 */
export function createIngest({ relay, clock, timers, onUnknownKey, observe }: IngestOptions): Handler {
  const parts: CallHandlerParts = {
    relay,
    clock,
    callers: createCallerLookup(() => relay.workspace(), { clock, onUnknownKey }),
    limits: createSourceLimits(clock),
    unzipped: createByteBudget(MAX_UNZIPPED_BYTES),
    parsing: createParseCapacity(timers),
  };
  const answer = async (request: IncomingRequest): Promise<Answer> =>
    withCors(await answerRequest(parts, request), request.headers);
  const handle = observe === undefined ? answer : withAnsweredEvents(answer, clock, observe);
  return Object.assign(handle, { knows: (head: IncomingHead) => knowsHead(parts, head) });
}

/** The status that a listener answers if a handler rejects. */
const REJECTED = 500;

type AnswerRequest = (request: IncomingRequest) => Promise<Answer>;

/** A handler that passes an `answered` event to `observe` for each request. What `observe` throws has no effect. */
function withAnsweredEvents(
  handle: AnswerRequest,
  clock: Pick<Clock, "wall" | "monotonic">,
  observe: (event: RelayEvent) => void,
): AnswerRequest {
  const report = (path: string, status: number, ms: number): void => {
    try {
      observe({ kind: "answered", route: pathNameOf(routeOf(path)), status, ms, at: clock.wall() });
    } catch {
      // The answer does not depend on the observer.
    }
  };
  return async (request) => {
    const since = clock.monotonic();
    let status = REJECTED;
    try {
      const answer = await handle(request);
      ({ status } = answer);
      return answer;
    } finally {
      report(request.path, status, clock.monotonic() - since);
    }
  };
}

/** True if the head shows a known key. False for settings: they have their key in the path, and no body. */
function knowsHead(parts: CallHandlerParts, head: IncomingHead): boolean {
  const route = routeOf(head.path);
  return route !== undefined && route.kind !== "settings" && knowsCaller(parts, route, head);
}

async function answerRequest(parts: CallHandlerParts, request: IncomingRequest): Promise<Answer> {
  const route = routeOf(request.path);
  if (route === undefined) return notFoundAnswer();
  const method = methodOf(route);
  if (request.method === "OPTIONS") return preflightAnswer(method, request.headers);
  if (request.method !== method) return wrongMethodAnswer([method, "OPTIONS"]);
  if (route.kind === "settings") return answerSettings(parts, route.writeKey, request);
  return handleCalls(parts, route, request);
}

// The answer shows whether the key in the path is known, so the request counts as a guess of a key.
function answerSettings(
  { callers }: CallHandlerParts,
  writeKey: string,
  { remoteAddress, headers, mountPath }: IncomingRequest,
): Answer {
  const caller = callers.lookUp(writeKey, remoteAddress);
  switch (caller.kind) {
    case "known":
      return projectSettings(writeKey, headers.get("host"), mountPath);
    case "unknown":
      return notFoundAnswer();
    case "limited":
      return rateLimitedAnswer(caller.waitMs);
  }
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

const MOUNT_PATH = /^(?:\/[\w.~-]+)*$/;

/**
 * The settings that analytics.js needs to run. `writeKey` is the key of the path, `host` the Host header, and `mountPath` the
 * path under which this server is mounted.
 */
function projectSettings(writeKey: string, host: string | undefined, mountPath = ""): Answer {
  const isUsable = host !== undefined && HOST.test(host) && MOUNT_PATH.test(mountPath);
  const apiHost = isUsable ? { apiHost: `${host}${mountPath}/v1` } : {};
  const integration = { apiKey: writeKey, ...apiHost, addBundledMetadata: true, unbundledIntegrations: [] };
  // The answer depends on the host and on the settings in force.
  const headers: Answer["headers"] = [
    ["Vary", "Host"],
    ["Cache-Control", "no-cache"],
  ];
  const settings = {
    integrations: { "Segment.io": integration },
    plan: { track: { __default: { enabled: true, integrations: {} } } },
    edgeFunction: {},
    analyticsNextEnabled: true,
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  };
  return jsonAnswer(200, settings, headers);
}

type Headers = IncomingRequest["headers"];

const EXPOSED_HEADERS: Answer["headers"][number] = ["Access-Control-Expose-Headers", "Retry-After"];

const ANY_ORIGIN: Answer["headers"] = [["Access-Control-Allow-Origin", "*"], EXPOSED_HEADERS];

/** A scheme, a host and a port, or `null`, as browsers write them. Any other text is not repeated in an answer. */
const ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+)$/i;

const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/;

/** The same answer, readable by any page. */
function withCors(answer: Answer, headers: Headers): Answer {
  const origin = originIn(headers);
  const corsHeaders = origin === undefined ? ANY_ORIGIN : readableBy(origin);
  return { ...answer, headers: [...answer.headers, ...corsHeaders] };
}

/** The answer to a preflight request. It repeats the headers that are asked for, since `*` covers none in a request with credentials. */
function preflightAnswer(method: "GET" | "POST", headers: Headers): Answer {
  const requested = headers.get("access-control-request-headers") ?? "";
  const names = HEADER_NAMES.test(requested) ? requested : "*";
  return {
    status: 204,
    headers: [
      ["Access-Control-Allow-Methods", method],
      ["Access-Control-Allow-Headers", `Authorization, Content-Type, Content-Encoding, ${names}`],
      ["Access-Control-Max-Age", String(PREFLIGHT_AGE_S)],
    ],
    body: "",
  };
}

function originIn(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin !== undefined && ORIGIN.test(origin) ? origin : undefined;
}

function readableBy(origin: string): Answer["headers"] {
  return [
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Allow-Credentials", "true"],
    EXPOSED_HEADERS,
    ["Vary", "Origin"],
  ];
}
