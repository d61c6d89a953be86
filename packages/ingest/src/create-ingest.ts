// The way in, as Segment's libraries know it: which path and method ask for what, and who may ask. What happens to calls
// stands in take-in.ts (decision: http front).

import type { Clock } from "@postrider/core";
import {
  type Answer,
  createByteBudget,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  methodAnswer,
  notFoundAnswer,
  rateLimitedAnswer,
} from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { preflightAnswer, withCors } from "./cors.js";
import { createIdentify } from "./identify.js";
import { MAX_UNZIPPED_BYTES } from "./limits.js";
import { createParseGate } from "./parse-capacity.js";
import { projectSettings } from "./project-settings.js";
import { methodOf, routeOf } from "./routes.js";
import { createSourceLimits } from "./source-limits.js";
import { type Intake, knowsCaller, takeIn } from "./handle-calls.js";

export interface IngestOptions {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  /** The wall clock says how long a shed call should wait, the monotonic one how much a source may still call. */
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /** Where given, the work of large requests is spread over turns of the event loop, by timers of no delay. They should look at the sockets before they wake. */
  readonly timers?: Pick<Clock, "after">;
  /** Called whenever a request shows no write key, or one of no source. Strangers can make that happen at will. */
  readonly onUnknownKey?: () => void;
}

/** Answers everything under `/v1` and `/beacon/v1`. A 200 is given only once the calls are safe. */
export function createIngest({ relay, clock, timers, onUnknownKey }: IngestOptions): Handler {
  const intake: Intake = {
    relay,
    clock,
    identify: createIdentify(() => relay.workspace(), { clock, onUnknownKey }),
    limits: createSourceLimits(clock),
    unzipped: createByteBudget(MAX_UNZIPPED_BYTES),
    parsing: createParseGate(timers),
  };
  const handle = async (request: IncomingRequest): Promise<Answer> => withCors(await answerRequest(intake, request));
  return Object.assign(handle, { knows: (head: IncomingHead) => knowsHead(intake, head) });
}

/** Only what has a body is asked for a key before it. */
function knowsHead(intake: Intake, head: IncomingHead): boolean {
  const route = routeOf(head.path);
  return route !== undefined && route.kind !== "settings" && knowsCaller(intake, route, head);
}

async function answerRequest(intake: Intake, request: IncomingRequest): Promise<Answer> {
  const route = routeOf(request.path);
  if (route === undefined) return notFoundAnswer();
  const method = methodOf(route);
  if (request.method === "OPTIONS") return preflightAnswer(method);
  if (request.method !== method) return methodAnswer([method, "OPTIONS"]);
  if (route.kind === "settings") return answerSettings(intake, route.writeKey, request);
  return takeIn(intake, route, request);
}

// A path that names a key tells whether there is such a key, so that it counts as a guess like any other.
function answerSettings({ identify }: Intake, writeKey: string, { remoteAddress, headers }: IncomingRequest): Answer {
  const caller = identify.key(writeKey, remoteAddress);
  switch (caller.kind) {
    case "known":
      return projectSettings(writeKey, headers.get("host"));
    case "unknown":
      return notFoundAnswer();
    case "limited":
      return rateLimitedAnswer(caller.waitMs);
  }
}
