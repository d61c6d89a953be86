// The HTTP front that Segment's libraries call: selects how a request is answered, by its path and method. handle-calls.ts
// handles calls; how they are stored is not known here (decision: http front).

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
import type { Relay } from "@postrider/relay";
import { preflightAnswer, withCors } from "./cors.js";
import { createCallerLookup } from "./caller-lookup.js";
import { MAX_UNZIPPED_BYTES } from "./limits.js";
import { createParseCapacity } from "./parse-capacity.js";
import { projectSettings } from "./project-settings.js";
import { methodOf, routeOf } from "./routes.js";
import { createSourceLimits } from "./source-limits.js";
import { type CallHandling, handleCalls, knowsCaller } from "./handle-calls.js";

export interface IngestOptions {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  /** The wall clock gives the `Retry-After` of a shed call, the monotonic one the limits of sources. */
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /**
   * If given, the work of large requests is spread over turns of the event loop, by timers without delay. These timers
   * should let the event loop poll its sockets before they fire.
   */
  readonly timers?: Pick<Clock, "after">;
  /** Called for each request that shows no write key or an unknown one. Any caller can cause that as often as it likes. */
  readonly onUnknownKey?: () => void;
}

/** Answers everything under `/v1` and `/beacon/v1`. Answers 200 only once the calls are stored. */
export function createIngest({ relay, clock, timers, onUnknownKey }: IngestOptions): Handler {
  const parts: CallHandling = {
    relay,
    clock,
    callers: createCallerLookup(() => relay.workspace(), { clock, onUnknownKey }),
    limits: createSourceLimits(clock),
    unzipped: createByteBudget(MAX_UNZIPPED_BYTES),
    parsing: createParseCapacity(timers),
  };
  const handle = async (request: IncomingRequest): Promise<Answer> => withCors(await answerRequest(parts, request));
  return Object.assign(handle, { knows: (head: IncomingHead) => knowsHead(parts, head) });
}

/** Whether the head shows a known key. False for settings: they have their key in the path, and no body. */
function knowsHead(parts: CallHandling, head: IncomingHead): boolean {
  const route = routeOf(head.path);
  return route !== undefined && route.kind !== "settings" && knowsCaller(parts, route, head);
}

async function answerRequest(parts: CallHandling, request: IncomingRequest): Promise<Answer> {
  const route = routeOf(request.path);
  if (route === undefined) return notFoundAnswer();
  const method = methodOf(route);
  if (request.method === "OPTIONS") return preflightAnswer(method);
  if (request.method !== method) return wrongMethodAnswer([method, "OPTIONS"]);
  if (route.kind === "settings") return answerSettings(parts, route.writeKey, request);
  return handleCalls(parts, route, request);
}

// A path with a key shows whether the key is known, so it counts as a guess like any other.
function answerSettings(
  { callers }: CallHandling,
  writeKey: string,
  { remoteAddress, headers }: IncomingRequest,
): Answer {
  const caller = callers.key(writeKey, remoteAddress);
  switch (caller.kind) {
    case "known":
      return projectSettings(writeKey, headers.get("host"));
    case "unknown":
      return notFoundAnswer();
    case "limited":
      return rateLimitedAnswer(caller.waitMs);
  }
}
