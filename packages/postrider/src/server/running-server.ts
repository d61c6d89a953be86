// A running server: takes new settings, and stops. Decides the order of a stop: first no new connections, then
// rounds settle, then callers read their answers, and the store closes last.

import type { CertificateOutcome } from "@postrider/http/api";
import type { Config } from "@postrider/relay/settings";
import type { Cancel, Problem } from "@postrider/core";
import type { Health, Relay } from "@postrider/relay";
import type { DeliveryParts } from "../assembly/delivery-parts.js";
import type { HostedConsole } from "../assembly/hosted-console.js";
import type { ConfigureResult, Reconfigurer } from "../assembly/reconfigure.js";
import type { SettingsFollower } from "../assembly/settings/follow-settings.js";
import { createSourceCalls, type SourceCalls } from "../assembly/source-calls.js";
import type { HttpServer } from "./http-server.js";
import type { CertificateInUse } from "./tls/certificate-in-use.js";
import type { LoopDelay } from "../metrics/loop-delay.js";
import { resolvesWithin } from "../timing/within.js";

/** A server, and what a host embeds without one: calls for a source, the relay, its health. */
export interface RunningServer extends SourceCalls {
  /** `http://HOST:PORT`, or `https://HOST:PORT` with TLS; the real port. */
  readonly url: string;
  /**
   * The address of the console, which logs an operator in once within ten minutes; a new one at each call. Undefined if the config
   * has no `apiToken`, or has `console` off.
   */
  consoleUrl(): string | undefined;
  /** Everything else that can be asked of a relay. `stop` of the server stops it. */
  readonly relay: Relay;
  /** Reports whether calls are accepted now, and if not, the reason. Asks nothing of the disk or the network. */
  health(): Health;
  /** The config in force. */
  config(): Config;
  /**
   * Replaces workspace, API token, trusted proxies and network, or returns the reasons against it. `listen` and `store` keep the values of
   * the start, and the workspace too if it is that of the store. With ten thousand destinations it blocks the event loop for some hundred
   * milliseconds.
   */
  configure(config: Config): readonly Problem[];
  /**
   * Like `configure`, without blocking: the config is checked in slices, and then comes into force in one step. A later
   * config, by either method, supersedes a config that is not in force yet.
   */
  configureInSlices(config: Config): Promise<ConfigureResult>;
  /**
   * Reads the certificate and its key from their files again. New connections get the new pair; a pair that cannot be
   * served changes nothing, and the reason is logged and returned. No effect without TLS: then it is undefined.
   */
  rereadCertificate(): CertificateOutcome | undefined;
  /**
   * Accepts no further call, lets open rounds settle and closes everything: within the delivery timeout plus two
   * seconds, and ten more seconds if the store still writes its log into its file.
   */
  stop(): Promise<StopResult>;
  /** Stops at once: rounds do not settle. Accepted calls are delivered after the next start. */
  abandon(): Promise<StopResult>;
}

/**
 * `ended`: everything is closed. `store-left`: the thread of the store does not end, since its disk does not answer;
 * accepted calls are safe, and the process can only end by a signal.
 */
export type StopResult = "ended" | "store-left";

/** The parts of a server that listens and delivers. */
export interface ServerParts extends DeliveryParts {
  readonly url: string;
  readonly server: HttpServer;
  readonly console: HostedConsole;
  readonly certificate: CertificateInUse;
  /** Ends the answers that are streamed. */
  readonly endStreams: () => void;
  readonly loopDelay: LoopDelay;
  readonly reconfigurer: Reconfigurer;
  /** Keeps the settings those of the store; undefined if the file owns them. */
  readonly follower: SettingsFollower | undefined;
  /** Ends the timer of series. */
  readonly stopSeries: Cancel;
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
  const { relay, reconfigurer, follower } = parts;
  return {
    ...createSourceCalls(relay),
    url: parts.url,
    consoleUrl: () => {
      const path = parts.console.loginPath();
      return path && `${parts.url}${path}`;
    },
    relay,
    health: () => relay.health(),
    config: () => parts.settings.config,
    configure: (config) => reconfigurer.atOnce(follower === undefined ? config : { ...config, ...workspaceInForce() }),
    configureInSlices: (config) => follower?.configure(config) ?? reconfigurer.inSlices(config),
    rereadCertificate: () => parts.certificate.reread(),
    stop: () => {
      endTimers();
      return stop(parts);
    },
    abandon: () => {
      endTimers();
      return abandon(parts);
    },
  };

  function workspaceInForce(): Pick<Config, "workspace"> {
    return { workspace: relay.workspace() };
  }

  function endTimers(): void {
    follower?.stop();
    reconfigurer.end();
    parts.certificate.stop();
    parts.loopDelay.stop();
    parts.stopSeries();
  }
}

async function stop(parts: ServerParts): Promise<StopResult> {
  const { server, relay, http, stores, clock, logger } = parts;
  server.close();
  parts.endStreams();
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
