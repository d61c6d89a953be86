// What can be asked of a server that runs: new settings, and an end. The order in which it ends is decided here: first
// nobody gets in, then what is under way settles, then the callers read their answers, and the store closes last.

import type { Config, ServerSettings } from "@postrider/codec";
import { type Clock, type Problem, runSteps } from "@postrider/core";
import type { Logger, Relay } from "@postrider/relay";
import type { HttpServer } from "./http-server.js";
import type { Stores } from "@postrider/sqlite-file";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import { runInSlices, whileWanted } from "../timing/run-in-slices.js";
import type { ClosableHttp, SwitchableHttp } from "./switchable-http.js";
import { warnOfForbidden } from "../config/warn-of-forbidden.js";
import { within } from "../timing/within.js";

export interface RunningServer {
  /** `http://HOST:PORT`, the real port. */
  readonly url: string;
  /** The config in force. */
  config(): Config;
  /**
   * Swaps workspace, API token and network, or answers why nothing was changed. `listen` and `store` stay what they
   * were at the start. With ten thousand destinations no caller is answered for some hundred milliseconds.
   */
  configure(config: Config): readonly Problem[];
  /**
   * The same, while callers are answered: the config is checked in slices and comes into force in one go. One that is
   * given later, by either of the two, takes the place of one that is not in force yet.
   */
  configureInSlices(config: Config): Promise<Configured>;
  /**
   * Takes no further call, lets open rounds settle and closes everything: within `timeoutMs` and two seconds; where the
   * store still writes its log into its file, within ten more.
   */
  stop(): Promise<Stopped>;
  /** Stops at once: nothing settles. What was accepted is delivered after the next start. */
  abandon(): Promise<Stopped>;
}

/** `superseded`: another config was given meanwhile. `stopped`: the server was. Neither, and no bad one, changes anything. */
export type Configured =
  | { readonly kind: "configured" | "superseded" | "stopped" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/**
 * `ended`: nothing of it is left. `store-left`: the thread of its store does not end, as its disk does not answer; what was
 * accepted is safe, and the process can only end by a signal.
 */
export type Stopped = "ended" | "store-left";

/** The parts of a server that listens and delivers. */
export interface Parts {
  readonly url: string;
  readonly server: HttpServer;
  readonly relay: Relay;
  readonly http: SwitchableHttp;
  readonly stores: Stores;
  readonly settings: SettingsInForce;
  readonly createHttp: (network: ServerSettings["network"]) => ClosableHttp;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Holds the config in force, for whoever asks for it at each request. */
export interface SettingsInForce {
  config: Config;
}

/** What the rounds under way get beyond a receiver's own time, then callers to read their answers, then the closing. */
const SETTLE_GRACE_MS = 500;
const ANSWER_GRACE_MS = 200;
const CLOSE_GRACE_MS = 200;
/** For a store that is writing the rest of its log into its file. Whoever has less patience sends a second signal. */
const STORE_CLOSE_GRACE_MS = 10_000;
/** For a thread that is told to end, wherever it stands. */
const THREAD_GRACE_MS = 500;

export function createRunningServer(parts: Parts): RunningServer {
  let isStopping = false;
  /** The config that was given last. */
  let latest = parts.settings.config;

  async function configureInSlices(config: Config): Promise<Configured> {
    latest = config;
    const isWanted = (): boolean => !isStopping && latest === config;
    const prepared = await runInSlices(whileWanted(prepareConfig(config), isWanted), parts.clock);
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

/** In one go: no call and no round sees a part of it without the rest. */
function putInForce(parts: Parts, { config, settings, forbidden }: PreparedConfig): void {
  const { relay, http, createHttp, logger } = parts;
  const { network } = config.server;
  const before = parts.settings.config.server.network;
  // The same network keeps its open connections.
  const isSameNetwork = JSON.stringify(network) === JSON.stringify(before);
  const nextHttp = isSameNetwork ? undefined : createHttp(network);
  relay.configure(settings).match(nothing, nothing);
  if (nextHttp !== undefined) http.replace(nextHttp);
  parts.settings.config = config;
  warnOfForbidden(forbidden, logger);
}

function nothing(): void {
  // What is prepared has been checked: a relay does not refuse it.
}

async function stop(parts: Parts): Promise<Stopped> {
  const { server, relay, http, stores, clock, logger } = parts;
  server.close();
  const { timeoutMs } = relay.workspace().delivery;
  const isSettled = await within(clock, timeoutMs + SETTLE_GRACE_MS, relay.stop());
  if (!isSettled) logger.log("warning", { code: "rounds-left-open", detail: "they are repeated after the next start" });
  await server.drain(ANSWER_GRACE_MS);
  await Promise.allSettled([
    within(clock, CLOSE_GRACE_MS, http.close()),
    within(clock, isStalled(relay) ? CLOSE_GRACE_MS : STORE_CLOSE_GRACE_MS, stores.close()),
  ]);
  return abandon(parts);
}

function isStalled(relay: Relay): boolean {
  const health = relay.health();
  return health.kind === "unhealthy" && health.reason === "stalled";
}

async function abandon({ stores, clock, logger }: Parts): Promise<Stopped> {
  if (await within(clock, THREAD_GRACE_MS, stores.abandon())) return "ended";
  logger.log("error", { code: "store-left", detail: "the disk does not answer; what was accepted is safe in its log" });
  return "store-left";
}
