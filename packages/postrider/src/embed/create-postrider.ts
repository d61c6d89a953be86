// Makes an embedded Postrider: reads the options, opens a store, connects the parts and starts to deliver. What each part
// does is decided elsewhere.

import { isUpload } from "@postrider/api";
import type { RunStatement } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import { createNodeListener, createWebHandler } from "@postrider/http";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createDeliveryParts, type DeliveryParts } from "../assembly/delivery-parts.js";
import { createFront } from "../assembly/front.js";
import { createOutboxCalls, type OutboxCalls } from "../assembly/outbox-calls.js";
import { createObservers, type Observers } from "../assembly/observers.js";
import { createReconfigurer } from "../assembly/reconfigure.js";
import { recordSeries } from "../assembly/record-series.js";
import { createSourceCalls } from "../assembly/source-calls.js";
import { createTraceFile, type TraceFile } from "../assembly/trace-file.js";
import { logWarnings } from "../config/config-warning.js";
import { closeParts } from "./close-parts.js";
import { storesOf } from "./open-stores.js";
import type { Postrider, PostriderOptions } from "./postrider.js";
import { prepareOptions, readSettings, requireObject, senderProblems } from "./read-options.js";
import { createStderrLogger } from "./stderr-logger.js";

const CLOSE_MS = 10_000;
/** The memory of a recording, as of `serve --record`. */
const RECORD_MEGABYTES = 64;

/**
 * Creates a Postrider inside this process and starts to deliver. Rejects with an `OptionsError` that names every wrong
 * setting, and a store that cannot be opened; nothing is left open then.
 */
export async function createPostrider<const SourceName extends string>(
  options: PostriderOptions<SourceName>,
): Promise<Postrider<SourceName>> {
  requireObject(options);
  const { clock = createSystemClock(), random = createSystemRandom() } = options;
  const logger = options.logger ?? createStderrLogger(clock);
  const prepared = await prepareOptions(options, clock);
  const stores = await storesOf(options, prepared.config.server.store, { logger, clock });
  const { http, opentelemetry } = options;
  const trace = traceFileOf(options.record, { clock, logger });
  const observers = createObservers(options.observe, trace?.observe);
  const ports = { stores, http, clock, random, logger, observe: observers.tell, record: trace?.record };
  const parts = createDeliveryParts({ prepared, ...ports, opentelemetry });
  logWarnings(prepared.warnings, logger);
  await parts.http.ready;
  parts.relay.start();
  return embed({ parts, observers, trace }, options);
}

function traceFileOf(
  record: PostriderOptions["record"],
  { clock, logger }: Pick<DeliveryParts, "clock" | "logger">,
): TraceFile | undefined {
  if (record === undefined) return undefined;
  const { path, megabytes = RECORD_MEGABYTES } = record;
  return createTraceFile({ path, megabytes, clock, logger });
}

function callsInTransactions({ stores, ...parts }: DeliveryParts): (run: RunStatement) => OutboxCalls {
  const { outbox } = stores.store;
  if (outbox !== undefined) return createOutboxCalls({ ...parts, outbox });
  return () => {
    throw createOptionsError("postrider.with", [
      { path: "store", expected: "a store with an outbox, such as postgresStores(pool)" },
    ]);
  };
}

interface Embedded {
  readonly parts: DeliveryParts;
  readonly observers: Observers;
  readonly trace: TraceFile | undefined;
}

function embed(
  { parts, observers, trace }: Embedded,
  { http, basePath, closeMs = CLOSE_MS }: PostriderOptions,
): Postrider {
  const { relay, clock } = parts;
  const front = createFront({ ...parts, observe: observers.tell }).handler;
  const mount = { isStreamed: isUpload, basePath };
  const nodeListener = createNodeListener(front, {
    ...mount,
    trustedProxies: () => parts.settings.config.server.trustedProxies,
  });
  const fetch = createWebHandler(front, mount);
  const reconfigurer = createReconfigurer(parts);
  const stopSeries = recordSeries(parts);
  let closed: Promise<void> | undefined;

  async function saveTrace(): Promise<void> {
    await trace?.save();
  }

  function endStreams(): void {
    nodeListener.endStreams();
    fetch.endStreams();
  }

  function close(): Promise<void> {
    reconfigurer.end();
    stopSeries();
    closed ??= closeParts({ ...parts, saveTrace, endStreams }, closeMs);
    return closed;
  }

  return {
    ...createSourceCalls(relay),
    with: callsInTransactions(parts),
    nodeListener,
    fetch,
    relay,
    health: () => relay.health(),
    configure: async (settings) => {
      const others = senderProblems(http, settings);
      const config = await readSettings("postrider.configure", { settings, others }, clock);
      const configured = await reconfigurer.inSlices(config);
      if (configured.kind === "refused") throw createOptionsError("postrider.configure", configured.problems);
    },
    saveTrace,
    observe: (listener) => observers.add(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}
