// Builds a server from a config: store, HTTP port, relay, handlers, listener. It listens before it delivers, so that a
// server whose port is taken sends nothing. It only connects parts that are made elsewhere.

import { type ApiOptions, createApi, type CallerUsage, isUpload } from "@postrider/api";
import type { Config, ServerSettings } from "@postrider/codec";
import type { Clock, Random, Secret } from "@postrider/core";
import { composeHandlers, createNodeListener, type Handler } from "@postrider/http";
import { createIngest } from "@postrider/ingest";
import { createRelay, type Logger, type RelayEvent } from "@postrider/relay";
import { createUndiciHttp } from "@postrider/undici";
import type { ForbiddenEndpoint } from "../config/forbidden-endpoints.js";
import type { HttpLimits } from "./http-limits.js";
import { createHttpServer } from "./http-server.js";
import type { Address } from "./listen-on.js";
import { createThrottledLog } from "../log/throttled-log.js";
import { openStore } from "./open-store.js";
import type { Stores } from "@postrider/sqlite-file";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import { runInSlices } from "../timing/run-in-slices.js";
import {
  createRunningServer,
  type ServerParts,
  type RunningServer,
  type ServerSettingsInForce,
} from "./running-server.js";
import { type ClosableHttp, createSwitchableHttp } from "./switchable-http.js";
import { warnOfForbiddenEndpoints } from "../config/warn-of-forbidden.js";
import { withLoopTurns } from "../timing/with-turns.js";

export interface ServerOptions {
  /** The result of `readConfig`. */
  readonly config: Config;
  /** Replaces the port of the config. */
  readonly port?: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** Called synchronously with each relay event. Exceptions are ignored. */
  readonly observe?: (event: RelayEvent) => void;
  /** Replace the default limits; for tests, which cannot wait for half a minute. */
  readonly limits?: Partial<HttpLimits>;
}

export type StartResult =
  | { readonly kind: "ok"; readonly server: RunningServer }
  | { readonly kind: "refused"; readonly code: StartFault; readonly reason: string };

export type StartFault = "store-unusable" | "config-refused" | "port-taken" | "cannot-listen";

/** Resolves once the server accepts calls and delivers. If the start fails, nothing is left open. */
export async function startServer(options: ServerOptions): Promise<StartResult> {
  const opened = await openStore(options.config.server.store, options.logger);
  if (opened.kind === "refused") return { kind: "refused", code: "store-unusable", reason: opened.reason };
  const { stores } = opened;
  const prepared = await runInSlices(prepareConfig(options.config), options.clock);
  if (prepared.kind === "refused") {
    await stores.close();
    return { kind: "refused", code: "config-refused", reason: "the workspace has problems" };
  }
  return listen(options, assemble(options, prepared, stores), prepared.forbidden);
}

type UnboundParts = Omit<ServerParts, "url">;

/** Creates the parts and connects them; starts none of them. */
function assemble(options: ServerOptions, prepared: PreparedConfig, stores: Stores): UnboundParts {
  const { config, clock, random, logger, observe, limits = {} } = options;
  const settings: ServerSettingsInForce = { config };
  // The server never delivers to itself, whatever its address is.
  const refuse = (): readonly Address[] => server.addresses();
  const createHttp = (network: ServerSettings["network"]): ClosableHttp => createUndiciHttp({ clock, network, refuse });
  const http = createSwitchableHttp(createHttp(config.server.network));
  const { store, audiences } = stores;
  const workspace = prepared.settings;
  const observer = observe === undefined ? {} : { observe };
  const relay = createRelay({ workspace, store, audiences, http, clock, random, logger, ...observer });
  const held = (): CallerUsage => ({ connections: server.connections(), ...listener.held() });
  const fault = (): string | undefined => (server.isOutOfHandles() ? "no-file-handles" : undefined);
  const listener = createNodeListener(handlerOf({ relay, clock, settings, held, fault, logger }), {
    isStreamed: isUpload,
    trustedProxies: () => settings.config.server.trustedProxies,
    onHead: (request, isKeyed) => server.noteHead(request, isKeyed),
  });
  const server = createHttpServer({
    listener,
    isUpload,
    clock,
    logger,
    limits,
  });
  return { server, relay, http, stores, settings, createHttp, clock, logger };
}

type HandlerParts = Pick<UnboundParts, "relay" | "clock" | "settings" | "logger"> &
  Required<Pick<ApiOptions, "held" | "fault">>;

const WRONG_TOKEN = "a request to /api showed no token, or another one than the config has";
const UNKNOWN_KEY = "a request to /v1 showed no write key, or one that no source of the config has";

function handlerOf({ relay, clock, settings, held, fault, logger }: HandlerParts): Handler {
  const onWrongToken = createThrottledLog(logger, clock, {
    level: "warning",
    code: "wrong-api-token",
    detail: WRONG_TOKEN,
  });
  const apiToken = (): Secret | undefined => settings.config.server.apiToken;
  const api = createApi({ relay, apiToken, held, fault, clock, onWrongToken });
  const onUnknownKey = createThrottledLog(logger, clock, {
    level: "warning",
    code: "unknown-key",
    detail: UNKNOWN_KEY,
  });
  const ingest = createIngest({ relay, clock, timers: withLoopTurns(clock), onUnknownKey });
  return composeHandlers([
    { at: "/v1", handler: ingest, mergesSlashes: true },
    { at: "/beacon/v1", handler: ingest, mergesSlashes: true },
    { at: "/api", handler: api },
    { at: "/healthz", handler: api },
  ]);
}

async function listen(
  { config, port, logger }: ServerOptions,
  parts: UnboundParts,
  forbidden: readonly ForbiddenEndpoint[],
): Promise<StartResult> {
  const address = { host: config.server.listen.host, port: port ?? config.server.listen.port };
  const listening = await parts.server.listen(address);
  if (listening.kind === "refused") {
    await Promise.allSettled([parts.http.close(), parts.stores.close()]);
    return listening;
  }
  warnOfForbiddenEndpoints(forbidden, logger);
  parts.relay.start();
  return { kind: "ok", server: createRunningServer({ ...parts, url: listening.url }) };
}
