// A running server: puts new settings in force, and stops. Decides the order of a stop: first no new connections, then
// rounds settle, then callers read their answers, and the store closes last.

import type { Config, ServerSettings } from "@postrider/codec";
import type { Clock, Problem } from "@postrider/core";
import { runSteps } from "@postrider/core/engine";
import type { Logger, Relay } from "@postrider/relay";
import type { HttpServer } from "./http-server.js";
import type { Stores } from "@postrider/sqlite-file";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import { runInSlices, stepsWhileWanted } from "../timing/run-in-slices.js";
import type { ClosableHttp, SwitchableHttp } from "./switchable-http.js";
import { warnOfForbiddenEndpoints } from "../config/warn-of-forbidden.js";
import { resolvesWithin } from "../timing/within.js";

export interface RunningServer {
  /** `http://HOST:PORT`, the real port. */
  readonly url: string;
  /** The config in force. */
  config(): Config;
  /**
   * Replaces workspace, API token, trusted proxies and network, or returns why nothing was changed. `listen` and `store`
   * keep the values of the start. With ten thousand destinations it blocks the event loop for some hundred milliseconds.
   */
  configure(config: Config): readonly Problem[];
  /**
   * Like `configure`, without blocking: the config is checked in slices, and then comes into force in one step. A later
   * config, by either method, supersedes a config that is not in force yet.
   */
  configureInSlices(config: Config): Promise<ConfigureResult>;
  /**
   * Accepts no further call, lets open rounds settle and closes everything: within the delivery timeout plus two
   * seconds, and ten more seconds if the store still writes its log into its file.
   */
  stop(): Promise<StopResult>;
  /** Stops at once: rounds do not settle. Accepted calls are delivered after the next start. */
  abandon(): Promise<StopResult>;
}

/** `superseded`: a later config was given. `stopped`: the server was stopped. Only `configured` changes anything. */
export type ConfigureResult =
  | { readonly kind: "configured" | "superseded" | "stopped" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/**
 * `ended`: everything is closed. `store-left`: the thread of the store does not end, since its disk does not answer;
 * accepted calls are safe, and the process can only end by a signal.
 */
export type StopResult = "ended" | "store-left";

/** The parts of a server that listens and delivers. */
export interface ServerParts {
  readonly url: string;
  readonly server: HttpServer;
  readonly relay: Relay;
  readonly http: SwitchableHttp;
  readonly stores: Stores;
  readonly settings: ServerSettingsInForce;
  readonly createHttp: (network: ServerSettings["network"]) => ClosableHttp;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The config in force, read at each request. */
export interface ServerSettingsInForce {
  config: Config;
}

/** The time that rounds have to settle, after the timeout of a receiver. */
const SETTLE_GRACE_MS = 500;
/** The time that callers have to read their answers. */
const ANSWER_GRACE_MS = 200;
/** The time to close the HTTP port, and a store that is stalled. */
const CLOSE_GRACE_MS = 200;
/** The time for a store to write the rest of its log into its file. A second signal ends the wait. */
const STORE_CLOSE_GRACE_MS = 10_000;
/** The time for the thread of a store to end. */
const THREAD_GRACE_MS = 500;

export function createRunningServer(parts: ServerParts): RunningServer {
  let isStopping = false;
  /** The latest config that was given. */
  let latest = parts.settings.config;

  async function configureInSlices(config: Config): Promise<ConfigureResult> {
    latest = config;
    const isWanted = (): boolean => !isStopping && latest === config;
    const prepared = await runInSlices(stepsWhileWanted(prepareConfig(config), isWanted), parts.clock);
    if (prepared === undefined || !isWanted()) return { kind: isStopping ? "stopped" : "superseded" };
    if (prepared.kind === "refused") return prepared;
    putInForce(parts, prepared);
    return { kind: "configured" };
  }

  return {
    url: parts.url,
    config: () => parts.settings.config,
    configure: (config) => {
      const prepared = runSteps(prepareConfig(config));
      if (prepared.kind === "refused") return prepared.problems;
      latest = config;
      putInForce(parts, prepared);
      return [];
    },
    configureInSlices,
    stop: () => {
      isStopping = true;
      return stop(parts);
    },
    abandon: () => {
      isStopping = true;
      return abandon(parts);
    },
  };
}

/** Changes all synchronously, so that no call and no round sees only a part of the new settings. */
function putInForce(parts: ServerParts, { config, settings, forbidden }: PreparedConfig): void {
  const { relay, http, createHttp, logger } = parts;
  const { network } = config.server;
  const before = parts.settings.config.server.network;
  // If the network settings are equal, open connections are kept.
  const isSameNetwork = JSON.stringify(network) === JSON.stringify(before);
  const nextHttp = isSameNetwork ? undefined : createHttp(network);
  relay.configure(settings).match(nothing, nothing);
  if (nextHttp !== undefined) http.replace(nextHttp);
  parts.settings.config = config;
  warnOfForbiddenEndpoints(forbidden, logger);
}

function nothing(): void {
  // Prepared settings have been checked: the relay does not refuse them.
}

async function stop(parts: ServerParts): Promise<StopResult> {
  const { server, relay, http, stores, clock, logger } = parts;
  server.close();
  const { timeoutMs } = relay.workspace().delivery;
  const isSettled = await resolvesWithin(clock, timeoutMs + SETTLE_GRACE_MS, relay.stop());
  if (!isSettled) logger.log("warning", { code: "rounds-left-open", detail: "they are repeated after the next start" });
  await server.drain(ANSWER_GRACE_MS);
  await Promise.allSettled([
    resolvesWithin(clock, CLOSE_GRACE_MS, http.close()),
    resolvesWithin(clock, isStalled(relay) ? CLOSE_GRACE_MS : STORE_CLOSE_GRACE_MS, stores.close()),
  ]);
  return abandon(parts);
}

function isStalled(relay: Relay): boolean {
  const health = relay.health();
  return health.kind === "unhealthy" && health.reason === "stalled";
}

async function abandon({ stores, clock, logger }: ServerParts): Promise<StopResult> {
  if (await resolvesWithin(clock, THREAD_GRACE_MS, stores.abandon())) return "ended";
  logger.log("error", { code: "store-left", detail: "the disk does not answer; what was accepted is safe in its log" });
  return "store-left";
}
