// The log of a command that runs a server: its format and its level, the line at the start, and at level debug a line for each step
// of each call and delivery that is not logged otherwise, with ids and codes only.

import type { Config } from "@postrider/relay/settings";
import type { Secret } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { LogEntry, RelayEvent } from "@postrider/relay";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";
import { readDatabaseUrl } from "../../config/database-url.js";
import { nameStore } from "../../config/own-secrets.js";
import { createJsonLines, createTextLines } from "../../log/log-lines.js";
import {
  createLevelFilter,
  type ServerLogEntry,
  type ServerLogger,
  type ServerLogLevel,
} from "../../log/server-logger.js";
import type { Host } from "../host.js";

interface HostLogOptions {
  readonly format?: "json" | "text" | undefined;
  /** `info` if absent. */
  readonly level?: ServerLogLevel | undefined;
}

/** Writes to standard error: text if that is a terminal, otherwise JSON lines, unless the operator chooses. */
export function createHostLog(
  host: Pick<Host, "err" | "errIsTerminal" | "clock">,
  { format = host.errIsTerminal ? "text" : "json", level = "info" }: HostLogOptions = {},
): ServerLogger {
  const create = format === "text" ? createTextLines : createJsonLines;
  return createLevelFilter(
    create(host.clock, (line) => host.err(line)),
    level,
  );
}

interface ServerObserver {
  readonly observe: (event: RelayEvent) => void;
  /** Resolves once the store has ended without a stop of the server. */
  readonly storeEnded: Promise<void>;
}

/** Logs each step to `debugLog`, if there is one. A line for each is written, however many there are. */
export function createServerObserver(debugLog: ServerLogger | undefined): ServerObserver {
  let resolveEnded = (): void => undefined;
  const storeEnded = new Promise<void>((resolve) => (resolveEnded = resolve));
  return {
    storeEnded,
    observe: (event) => {
      const entry = debugLog === undefined ? undefined : debugEntry(event);
      if (entry !== undefined) debugLog?.log("debug", entry);
      if (event.kind === "store-ended") resolveEnded();
    },
  };
}

/** The entry of an event; undefined if the relay logs it itself. */
export function debugEntry(event: RelayEvent): LogEntry | undefined {
  switch (event.kind) {
    case "accepted":
      return { code: event.kind, source: event.source, count: event.deliveries.length };
    case "duplicate":
    case "suppressed":
    case "outdated":
      return { code: event.kind, source: event.source };
    case "delivered":
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail: event.detail };
    case "rescheduled": {
      const detail = `${event.detail}, due ${formatTimestamp(event.dueAt)}`;
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail };
    }
    case "released": {
      const detail = `due ${formatTimestamp(event.dueAt)}`;
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail };
    }
    case "replayed":
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail: `of ${event.of}` };
    case "refused":
    case "slip":
    case "shed":
    case "attempted":
    case "died":
    case "stale":
    case "schedule-fault":
    case "local-fault":
    case "orphaned":
    case "outbox-waits":
    case "lane-held":
    case "lane-open":
    case "lane-blocked":
    case "lane-paused":
    case "lane-resumed":
    case "ended":
    case "pulled-in":
    case "deletion-requested":
    case "purged":
    case "deletion-finished":
    case "synced":
    case "replay-job-done":
    case "swept":
    case "store-fault":
    case "store-ended":
    case "store-stalled":
    case "store-answers":
    case "notification-sent":
    case "notification-failed":
    case "configured":
    case "committed":
    case "claimed":
    case "answered":
      return undefined;
  }
}

/** The most connections to the database; none if the URL asks for what it may not: opening the store says so. */
function connectionsOf(url: Secret): Pick<StartEntry, "connections"> {
  const parameters = readDatabaseUrl(url.reveal());
  return parameters.kind === "ok" ? { connections: parameters.connections } : {};
}

/** The entry of a server that starts. */
interface StartEntry extends ServerLogEntry {
  readonly code: "starting";
  /** The most connections to its database, if it has one. */
  readonly connections?: number;
}

export function startEntry({ server, workspace }: Config, tls: boolean): StartEntry {
  const { store, apiToken } = server;
  return {
    code: "starting",
    version: PROGRAM_VERSION,
    node: process.versions.node,
    store: store.kind === "sqlite" ? `sqlite:${store.path}` : nameStore(store),
    ...(store.kind === "postgres" && connectionsOf(store.url)),
    sources: workspace.sources.length,
    destinations: workspace.destinations.length,
    api: apiToken !== undefined,
    tls,
  };
}
