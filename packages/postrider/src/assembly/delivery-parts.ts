// Creates the relay and its HTTP port from prepared settings, for a server and for an embedded Postrider. Starts neither.

import { createRecentCalls, createRecentEvents, type RecentCalls, type RecentEvents } from "@postrider/http/api";
import type { Config } from "@postrider/relay/settings";
import type {
  AudienceStore,
  Clock,
  DeliveryStore,
  HttpPort,
  Random,
  RecordablePorts,
  RelayRecorder,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { createRelay, type Logger, type Relay, type RelayEvent } from "@postrider/relay";
import {
  createRegistry,
  createSeries,
  createTracing,
  type Registry,
  type Series,
  type TracingApi,
} from "@postrider/relay/metrics";
import type { PreparedConfig } from "../config/prepare-config.js";
import {
  createSenderHttp,
  type SenderPorts,
  type SenderSettings,
  type ClosableHttp,
  createSwitchableHttp,
  type SwitchableHttp,
} from "./sender-http.js";
import { createObservers } from "./observers.js";

/** The opened stores. Those that the host has opened are not closed. */
export interface OpenedStores {
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore | undefined;
  /** The path of the database, if it is a file that was opened here. */
  readonly file?: string | undefined;
  close(): Promise<void>;
  abandon(): Promise<void>;
}

/** The config in force, read at each request. */
export interface ServerSettingsInForce {
  config: Config;
}

export interface DeliveryParts {
  readonly relay: Relay;
  /** Counts the events of the relay, for `/metrics`. */
  readonly metrics: Registry;
  /** The latest calls. */
  readonly calls: RecentCalls;
  /** The latest events, while they are read. */
  readonly events: RecentEvents;
  /** The metrics over time, once snapshots are taken. */
  readonly series: Series;
  readonly http: SwitchableHttp;
  readonly stores: OpenedStores;
  readonly settings: ServerSettingsInForce;
  readonly createHttp: (settings: SenderSettings) => ClosableHttp;
  /** True if addresses are vetted before they are dialed; false with an HTTP port of the host. */
  readonly vetsAddresses: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface DeliveryPartsOptions extends Pick<SenderPorts, "refuse"> {
  readonly prepared: PreparedConfig;
  readonly stores: OpenedStores;
  /** The port of the host, which is not closed; one over undici if absent. */
  readonly http?: HttpPort | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observe?: ((event: RelayEvent) => void) | undefined;
  /** Makes spans; none if absent. */
  readonly opentelemetry?: TracingApi | undefined;
  /** True if the relay delivers; the default. */
  readonly delivers?: boolean | undefined;
  /** Called once with the ports of the relay, to record it. */
  readonly record?: ((ports: RecordablePorts) => RelayRecorder) | undefined;
}

export function createDeliveryParts(options: DeliveryPartsOptions): DeliveryParts {
  const { prepared, stores, clock, random, logger, observe, opentelemetry, delivers, record, refuse } = options;
  const { config, settings: workspace } = prepared;
  const createHttp =
    options.http === undefined
      ? (sender: SenderSettings) => createSenderHttp(sender, { clock, logger, ...defined({ refuse }) })
      : always(keepOpen(options.http));
  const http = createSwitchableHttp(createHttp(config.server));
  const { store, audiences } = stores;
  const ports = { store, http, clock, random, ...defined({ audiences, delivers }) };
  const calls = createRecentCalls(clock);
  const events = createRecentEvents(clock);
  const [metrics, series] = [createRegistry(), createSeries()];
  const tracing = opentelemetry && createTracing(opentelemetry);
  const { tell } = createObservers(calls.observe, events.observe, metrics.observe, tracing?.observe, observe);
  const untracedRelay = createRelay({
    workspace,
    ...ports,
    logger,
    observe: tell,
    ...defined({ recorder: record?.(ports) }),
  });
  const relay = tracing?.wrap(untracedRelay) ?? untracedRelay;
  const vetsAddresses = options.http === undefined;
  return {
    relay,
    metrics,
    calls,
    events,
    series,
    http,
    stores,
    settings: { config },
    createHttp,
    vetsAddresses,
    clock,
    random,
    logger,
  };
}

/** A port of the host, without the means to close it. */
function keepOpen(http: HttpPort): ClosableHttp {
  return { send: (request) => http.send(request), close: () => Promise.resolve() };
}

function always<T>(value: T): () => T {
  return () => value;
}
