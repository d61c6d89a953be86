// Makes an embedded Postrider: reads the options, opens or takes the stores, connects the parts and starts to deliver. Closing ends the
// relay first; each wait has a limit, so that a receiver or a disk that hangs cannot keep the host's process from ending.

import { isUpload } from "@postrider/http/api";
import type { ServerSettings } from "@postrider/relay/settings";
import type { Clock, RunStatement } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import { createNodeListener, createWebHandler } from "@postrider/http";
import type { Logger } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createDeliveryParts, type DeliveryParts, type OpenedStores } from "../assembly/delivery-parts.js";
import { createFront } from "../assembly/front.js";
import { createObservers, type Observers } from "../assembly/observers.js";
import { openStore, type OpenStoreResult } from "../assembly/open-store.js";
import { createOutboxCalls, type OutboxCalls } from "../assembly/outbox-calls.js";
import { createReconfigurer } from "../assembly/reconfigure.js";
import { recordSeries } from "../assembly/record-series.js";
import { createSourceCalls } from "../assembly/source-calls.js";
import { createTraceFile, type TraceFile } from "../assembly/trace-file.js";
import { logWarnings } from "../config/config-warning.js";
import { createJsonLines, createTextLines, plainLine } from "../log/log-lines.js";
import { reasonOf, toPrintable } from "../log/printable.js";
import { createLevelFilter } from "../log/server-logger.js";
import { resolvesWithin } from "../timing/within.js";
import type { Postrider, PostriderOptions, StoresToOpen } from "./postrider.js";
import { prepareOptions, readSettings, requireObject, senderProblems } from "./read-options.js";

/** The default of `closeMs`. */
const CLOSE_MS = 10_000;

/** The time to write a trace. */
const TRACE_GRACE_MS = 10_000;

/** The time to close the HTTP port. */
const HTTP_GRACE_MS = 500;

/** The time for a store to write the rest of its log into its file. */
const STORE_GRACE_MS = 10_000;

/** The time for the thread of a store to end. */
const THREAD_GRACE_MS = 500;

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

interface EmbeddedParts {
  readonly parts: DeliveryParts;
  readonly observers: Observers;
  readonly trace: TraceFile | undefined;
}

function embed(
  { parts, observers, trace }: EmbeddedParts,
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
  let closing: Promise<void> | undefined;

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
    closing ??= closeParts({ ...parts, saveTrace, endStreams }, closeMs);
    return closing;
  }

  return {
    ...createSourceCalls(relay),
    with: callsInTransactions(parts),
    nodeListener,
    fetch,
    relay,
    health: () => relay.health(),
    configure: async (settings) => {
      const otherProblems = senderProblems(http, settings);
      const config = await readSettings("postrider.configure", { settings, otherProblems }, clock);
      const configured = await reconfigurer.inSlices(config);
      if (configured.kind === "refused") throw createOptionsError("postrider.configure", configured.problems);
    },
    saveTrace,
    observe: (listener) => observers.add(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws an `OptionsError` with the reason if the store of the settings cannot be opened. */
async function storesOf(
  { store, audiences }: Pick<PostriderOptions, "store" | "audiences">,
  settings: ServerSettings["store"],
  ports: { readonly logger: Logger; readonly clock: Clock },
): Promise<OpenedStores> {
  if (typeof store === "object" && "commit" in store) return { store, audiences, close: nothing, abandon: nothing };
  const outcome =
    typeof store === "object" ? await openHostStores(store, ports.clock) : await openStore(settings, ports);
  if (outcome.kind === "ok") return outcome.stores;
  throw createOptionsError("createPostrider", [{ path: "store", expected: `a store that opens (${outcome.reason})` }]);
}

async function openHostStores(stores: StoresToOpen, clock: Clock): Promise<OpenStoreResult> {
  try {
    return { kind: "ok", stores: { ...(await stores.open({ clock })), abandon: nothing } };
  } catch (error) {
    return { kind: "refused", reason: reasonOf(error) };
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

interface ClosedParts extends Pick<DeliveryParts, "relay" | "http" | "stores" | "clock" | "logger"> {
  /** Writes the recording, if there is one. */
  readonly saveTrace: () => Promise<void>;
  /** Ends the answers that are streamed. */
  readonly endStreams: () => void;
}

/** Waits at most `closeMs` for rounds under way. Never rejects; what does not end in time is logged. */
async function closeParts(
  { relay, http, stores, clock, logger, saveTrace, endStreams }: ClosedParts,
  closeMs: number,
): Promise<void> {
  endStreams();
  const isSettled = await endsWithin(closeMs, relay.stop());
  if (!isSettled) logger.log("warning", { code: "rounds-left-open", detail: "they are repeated after the next start" });
  await endsWithin(TRACE_GRACE_MS, saveTrace());
  await endsWithin(HTTP_GRACE_MS, http.close());
  await endsWithin(STORE_GRACE_MS, stores.close());
  if (await endsWithin(THREAD_GRACE_MS, stores.abandon())) return;
  logger.log("error", { code: "store-left", detail: "the disk does not answer; what was accepted is safe in its log" });

  function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
    return resolvesWithin(clock, limitMs, work).catch(() => true);
  }
}

/** The stream to which lines are written, and whether it is a terminal. */
interface ErrorStream {
  readonly isTTY: boolean;
  write(text: string): unknown;
}

/** The logger of a host that gives none: warnings and errors, as text on a terminal, otherwise a JSON object per line. */
export function createStderrLogger(clock: Pick<Clock, "wall">, stderr: ErrorStream = process.stderr): Logger {
  const write = (line: string): void => void stderr.write(`${toPrintable(line)}\n`);
  const logger = stderr.isTTY
    ? createTextLines(clock, (line) => write(plainLine(line)))
    : createJsonLines(clock, write);
  return createLevelFilter(logger, "warning");
}
