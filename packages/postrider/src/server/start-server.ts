// Builds a server from a config: store, HTTP port, relay, handlers, listener. It listens before it delivers, so that a
// server whose port is taken sends nothing. It only connects parts that are made elsewhere.

import { type CallerUsage, isUpload, type Reload } from "@postrider/http/api";
import type { Config } from "@postrider/relay/settings";
import {
  type Clock,
  createSecret,
  type Random,
  type RecordablePorts,
  type RelayRecorder,
  type Secret,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { createNodeListener } from "@postrider/http";
import type { Logger, RelayEvent } from "@postrider/relay";
import type { TracingApi } from "@postrider/relay/metrics";
import { createDeliveryParts, type OpenedStores } from "../assembly/delivery-parts.js";
import { ALL_ROLES, createFront, type Roles } from "../assembly/front.js";
import { openStore } from "../assembly/open-store.js";
import { recordSeries } from "../assembly/record-series.js";
import { beginSettings } from "../assembly/settings/begin-settings.js";
import type { StoreSettings } from "../assembly/settings/follow-settings.js";
import { shareSettings } from "../assembly/settings/share-settings.js";
import { type ConfigWarning, logWarnings } from "../config/config-warning.js";
import { MAX_REFERENCE_BYTES } from "../config/limits.js";
import { prepareConfig, type PreparedConfig } from "../config/prepare-config.js";
import type { References } from "../config/read-expanded.js";
import { readTextFile } from "../config/read-text-file.js";
import { createLoopDelay } from "../metrics/loop-delay.js";
import { createProcessFamilies } from "../metrics/program-families.js";
import { runInSlices } from "../timing/run-in-slices.js";
import type { HttpLimits } from "./http-limits.js";
import { createHttpServer } from "./http-server.js";
import type { Address } from "./listen-on.js";
import { createRunningServer, type RunningServer, type ServerParts } from "./running-server.js";
import { type CertificateInUseOptions, createCertificateInUse, NO_CERTIFICATE } from "./tls/certificate-in-use.js";
import { readPair, type TlsFiles, type TlsPair } from "./tls/tls-pair.js";

const HERE: References = { folder: process.cwd(), env: (name) => process.env[name] };

/** The options of `startServer`. */
export interface ServerOptions {
  /** The result of `readConfig`. */
  readonly config: Config;
  /** The roles; both if absent. */
  readonly roles?: Roles;
  /** Replaces the port of the config. */
  readonly port?: number;
  /** Serve https with this certificate and key; without them, the server speaks plain HTTP. */
  readonly tls?: TlsFiles;
  /** Receives log entries. */
  readonly logger: Logger;
  /** Time for all of the server, such as `createSystemClock()`. */
  readonly clock: Clock;
  /** The randomness of ids, tokens and jitter, such as `createSystemRandom()`. */
  readonly random: Random;
  /** Called synchronously with each relay event. Exceptions are ignored. */
  readonly observe?: (event: RelayEvent) => void;
  /** `@opentelemetry/api`: spans are made by its global provider. None if absent. */
  readonly opentelemetry?: TracingApi;
  /** Called once with the ports of the relay, to record it: `(ports) => recordPorts(ports).ports.recorder`. */
  readonly record?: (ports: RecordablePorts) => RelayRecorder;
  /** Reads the config again, for `POST /api/reload`. If absent, there is no such path. Must not reject. */
  readonly reload?: Reload;
  /** Resolves references in the settings of the store; by the environment and the working directory if absent. */
  readonly references?: References;
  /** Replace the default limits; for tests, which cannot wait for half a minute. */
  readonly limits?: Partial<HttpLimits>;
}

/** The running server, or why it did not start, with the reason in words. */
export type StartResult =
  | { readonly kind: "ok"; readonly server: RunningServer }
  | { readonly kind: "refused"; readonly code: StartFault; readonly reason: string };

/** The reasons for which a server does not start. */
type StartFault = "certificate-refused" | "store-unusable" | "config-refused" | "port-taken" | "cannot-listen";

/** Resolves once the server accepts calls and delivers. If the start fails, nothing is left open. */
export async function startServer(options: ServerOptions): Promise<StartResult> {
  const { tls, clock } = options;
  if (tls === undefined) return startWith(options);
  const outcome = readPair(tls, clock.wall());
  if (outcome.kind === "refused") return { kind: "refused", code: "certificate-refused", reason: outcome.reason };
  return startWith(options, { files: tls, pair: outcome.pair });
}

/** The certificate of a server with TLS. */
type StartCertificate = Pick<CertificateInUseOptions, "files" | "pair">;

async function startWith(options: ServerOptions, certificate?: StartCertificate): Promise<StartResult> {
  const outcome = await openStore(options.config.server.store, options);
  if (outcome.kind === "refused") return { kind: "refused", code: "store-unusable", reason: outcome.reason };
  const { stores } = outcome;
  const start = await beginSettings({
    ...options,
    references: guardedReferences(options.references ?? HERE, options.tls),
    stores,
  });
  if (start.kind === "refused") return closeAndRefuse(stores, start);
  const prepared = await runInSlices(prepareConfig(start.config), options.clock);
  if (prepared.kind === "refused") {
    return closeAndRefuse(stores, { kind: "refused", code: "config-refused", reason: "the workspace has problems" });
  }
  const parts = assemble(options, { prepared, stores, storeSettings: start.storeSettings, pair: certificate?.pair });
  return listen(options, parts, { warnings: prepared.warnings, certificate });
}

/** Closes the stores of a server that does not start. */
async function closeAndRefuse(stores: OpenedStores, refused: StartResult): Promise<StartResult> {
  await stores.close();
  return refused;
}

type UnboundParts = Omit<ServerParts, "url" | "certificate" | "stopSeries">;

interface AssemblyInput {
  readonly prepared: PreparedConfig;
  readonly stores: OpenedStores;
  readonly storeSettings: StoreSettings | undefined;
  readonly pair: TlsPair | undefined;
}

/** Creates the parts and connects them; starts none of them. */
function assemble(options: ServerOptions, { prepared, stores, storeSettings, pair }: AssemblyInput): UnboundParts {
  const { clock, random, logger, observe, opentelemetry, record, limits = {}, roles = ALL_ROLES } = options;
  // The server never delivers to itself, whatever its address is.
  const refuse = (): readonly Address[] => server.addresses();
  const ports = { stores, clock, random, logger, observe, opentelemetry, record, refuse };
  const parts = createDeliveryParts({ prepared, ...ports, delivers: roles.delivers });
  const references = guardedReferences(options.references ?? HERE, options.tls);
  const shared = shareSettings(parts, { storeSettings, references, refuse });
  const callerUsage = (): CallerUsage => ({ connections: server.connections(), ...listener.held() });
  const fault = (): string | undefined => (server.isOutOfHandles() ? "no-file-handles" : undefined);
  const loopDelay = createLoopDelay(clock);
  const processFamilies = [createProcessFamilies(clock), loopDelay.families];
  const front = createFront({
    ...parts,
    ...shared,
    held: callerUsage,
    fault,
    observe,
    processFamilies,
    accepts: roles.accepts,
    ...defined({ reload: options.reload }),
  });
  const listener = createNodeListener(front.handler, {
    isStreamed: isUpload,
    trustedProxies: () => parts.settings.config.server.trustedProxies,
    onHead: (request, isKeyed) => server.noteHead(request, isKeyed),
  });
  const server = createHttpServer({
    listener,
    isUpload,
    clock,
    logger,
    limits,
    pair,
  });
  return { ...parts, ...shared, console: front.console, server, loopDelay, endStreams: () => listener.endStreams() };
}

/** The warnings that are logged, and the certificate that is watched, once the server listens. */
interface StartNotices {
  readonly warnings: readonly ConfigWarning[];
  readonly certificate: StartCertificate | undefined;
}

async function listen(
  { config, port, clock, logger }: ServerOptions,
  parts: UnboundParts,
  { warnings, certificate }: StartNotices,
): Promise<StartResult> {
  await parts.http.ready;
  const address = { host: config.server.listen.host, port: port ?? config.server.listen.port };
  const outcome = await parts.server.listen(address);
  if (outcome.kind === "refused") {
    parts.loopDelay.stop();
    await Promise.allSettled([parts.http.close(), parts.stores.close()]);
    return outcome;
  }
  logWarnings(warnings, logger);
  const { usePair: use } = parts.server;
  const inUse =
    certificate === undefined ? NO_CERTIFICATE : createCertificateInUse({ ...certificate, use, clock, logger });
  parts.relay.start();
  parts.follower?.start();
  const startedParts = { url: outcome.url, certificate: inUse, stopSeries: recordSeries(parts) };
  return { kind: "ok", server: createRunningServer({ ...parts, ...startedParts }) };
}

/**
 * References in settings of the store never lead to the private key of the certificate. The key is read anew each time, since it may
 * be exchanged while the server runs.
 */
function guardedReferences(references: References, tls: TlsFiles | undefined): References {
  if (tls === undefined) return references;
  const guarded = (): readonly Secret[] => {
    const key = readTextFile(tls.keyFile, MAX_REFERENCE_BYTES);
    return key.kind === "ok" ? [createSecret(key.text)] : [];
  };
  return { ...references, guarded };
}
