// The HTTP front that Segment's libraries call: selects how a request is answered, by its path and method.
// handle-calls.ts handles calls. Does not know how calls are stored (decision: http front).

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
} from "@postrider/http";
import type { Relay, RelayEvent } from "@postrider/relay";
import { preflightAnswer, withCors } from "./cors.js";
import { createCallerLookup } from "./caller-lookup.js";
import { MAX_UNZIPPED_BYTES } from "./limits.js";
import { measured } from "./measured.js";
import { createParseCapacity } from "./parse-capacity.js";
import { projectSettings } from "./project-settings.js";
import { methodOf, routeOf } from "./routes.js";
import { createSourceLimits } from "./source-limits.js";
import { type CallHandlerParts, handleCalls, knowsCaller } from "./handle-calls.js";

/** The options of `createIngest`: the relay that gets the calls, clocks, and bounds on callers. */
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
  const handle = observe === undefined ? answer : measured(answer, clock, observe);
  return Object.assign(handle, { knows: (head: IncomingHead) => knowsHead(parts, head) });
}

/** Whether the head shows a known key. False for settings: they have their key in the path, and no body. */
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
  const caller = callers.key(writeKey, remoteAddress);
  switch (caller.kind) {
    case "known":
      return projectSettings(writeKey, headers.get("host"), mountPath);
    case "unknown":
      return notFoundAnswer();
    case "limited":
      return rateLimitedAnswer(caller.waitMs);
  }
}
