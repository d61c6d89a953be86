// Creates the handler of all HTTP paths for the roles of a server: ingest under /v1 and /beacon/v1, the API under /api, /healthz, /metrics,
// and the console. Logs that callers show wrong keys or tokens, at most once in 10 seconds.

import { type ApiOptions, createApi, createMetrics, type MetricsOptions, type SettingsDesk } from "@postrider/http/api";
import type { Secret } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { composeHandlers, errorAnswer, type Handler } from "@postrider/http";
import { createIngest } from "@postrider/http/ingest";
import { exposeMetrics } from "@postrider/relay/metrics";
import { createThrottledLog } from "../log/server-logger.js";
import {
  createCallerFamilies,
  createDeletionFamilies,
  createBuildFamilies,
  createProgramFamilies,
  type ReadFamilies,
  createSettingsFamilies,
  createStoreFileFamilies,
} from "../metrics/program-families.js";
import { withLoopTurns } from "../timing/run-in-slices.js";
import type { DeliveryParts } from "./delivery-parts.js";
import { CONSOLE_PATH, createHostedConsole, type HostedConsole, SERVER_NAME } from "./hosted-console.js";
import { createObservers, type Observer } from "./observers.js";
import { PROGRAM_VERSION } from "./program-version.js";

/** The roles of a server. At least one is true. */
export interface Roles {
  /** It takes calls. */
  readonly accepts: boolean;
  /** It delivers what any server on the store has accepted. */
  readonly delivers: boolean;
}

export const ALL_ROLES: Roles = { accepts: true, delivers: true };

type FrontParts = Pick<
  DeliveryParts,
  "relay" | "metrics" | "stores" | "calls" | "events" | "series" | "clock" | "random" | "settings" | "logger"
> &
  Pick<ApiOptions, "held" | "fault" | "reload"> & {
    /** The settings that the API shows and takes; none if absent. */
    readonly desk?: SettingsDesk;
    readonly observe?: Observer | undefined;
    /** True if calls are taken; the default. */
    readonly accepts?: boolean;
    /** The metrics of the process, where this program is the process. */
    readonly processFamilies?: readonly ReadFamilies[];
  };

/** The handler of all paths, and the console behind it. */
interface Front {
  readonly handler: Handler;
  readonly console: HostedConsole;
}

const WRONG_TOKEN = "a request to /api, /metrics or /console showed no token, or another one than the config has";

const UNKNOWN_KEY = "a request to /v1 showed no write key, or one that no source of the config has";

const RETRY_AFTER_S = 1;

export function createFront(parts: FrontParts): Front {
  const { relay, metrics, calls, events, series, clock, settings, held, fault, reload, logger, observe, desk } = parts;
  const onWrongToken = createThrottledLog(logger, clock, {
    level: "warning",
    code: "wrong-api-token",
    detail: WRONG_TOKEN,
  });
  const apiToken = (): Secret | undefined => settings.config.server.apiToken;
  const programParts = { program: PROGRAM_VERSION, server: SERVER_NAME, ...defined({ held, fault, reload, desk }) };
  const api = createApi({ relay, apiToken, calls, events, series, clock, onWrongToken, ...programParts });
  const logUnknownKey = createThrottledLog(logger, clock, {
    level: "warning",
    code: "unknown-key",
    detail: UNKNOWN_KEY,
  });
  const onUnknownKey = (): void => {
    calls.noteUnknownKey();
    logUnknownKey();
  };
  const { tell } = createObservers(metrics.observe, observe);
  const ingest =
    parts.accepts === false
      ? refuseCalls
      : createIngest({ relay, clock, timers: withLoopTurns(clock), onUnknownKey, observe: tell });
  const metricsToken = (): Secret | undefined => settings.config.server.metricsToken ?? apiToken();
  const console = createHostedConsole(parts, onWrongToken);
  const handler = composeHandlers([
    { at: "/v1", handler: ingest, mergesSlashes: true },
    { at: "/beacon/v1", handler: ingest, mergesSlashes: true },
    { at: "/api", handler: api },
    { at: "/healthz", handler: api },
    {
      at: "/metrics",
      handler: createMetrics({ token: metricsToken, render: createRender(parts), clock, onWrongToken }),
    },
    { at: CONSOLE_PATH, handler: console.handler },
    { at: "/", handler: console.handler },
  ]);
  return { handler, console };
}

/** In place of ingest on a server that only delivers: 503, so that a caller sends the calls again, to another server. */
const refuseCalls: Handler = () => {
  const error = { code: "not-accepting", message: "this server only delivers: send calls to another one" };
  return Promise.resolve(errorAnswer(503, error, [["Retry-After", String(RETRY_AFTER_S)]]));
};

/** Creates the function that exposes the metrics of the relay and those of the program. */
function createRender(parts: FrontParts): MetricsOptions["render"] {
  const { relay, metrics, stores, clock, held, desk, processFamilies = [] } = parts;
  const readProgramFamilies = createProgramFamilies(
    [
      createDeletionFamilies(relay, clock),
      ...(stores.file === undefined ? [] : [createStoreFileFamilies(stores.file)]),
      ...(held === undefined ? [] : [createCallerFamilies(held)]),
      ...(desk === undefined ? [] : [createSettingsFamilies(desk)]),
      ...processFamilies,
      createBuildFamilies(PROGRAM_VERSION),
    ],
    clock,
  );
  return async (accept) => {
    const programFamilies = await readProgramFamilies();
    const { families } = metrics.snapshot(relay.lanes(), clock.wall());
    return exposeMetrics({ families: [...families, ...programFamilies] }, accept);
  };
}
