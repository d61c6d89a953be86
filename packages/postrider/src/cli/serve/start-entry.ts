// The first line of the log of a server: what an operator wants to know first.

import type { Config } from "@postrider/codec";
import type { ServerLogEntry } from "../../log/server-logger.js";
import { PROGRAM_VERSION } from "../../assembly/program-version.js";
import { nameStore } from "../../config/name-store.js";

/** The entry of a server that starts. */
export interface StartEntry extends ServerLogEntry {
  readonly code: "starting";
}

export function startEntry({ server, workspace }: Config, tls: boolean): StartEntry {
  const { store, apiToken } = server;
  return {
    code: "starting",
    version: PROGRAM_VERSION,
    node: process.versions.node,
    store: store.kind === "sqlite" ? `sqlite:${store.path}` : nameStore(store),
    sources: workspace.sources.length,
    destinations: workspace.destinations.length,
    api: apiToken !== undefined,
    tls,
  };
}
