// What a command learns from the events of its server: that the store has ended, and each step at level debug.

import type { RelayEvent } from "@postrider/relay";
import { debugEntry } from "../../log/debug-events.js";
import type { ServerLogger } from "../../log/server-logger.js";

export interface ServerObserver {
  readonly observe: (event: RelayEvent) => void;
  /** Resolves once the store has ended without a stop of the server. */
  readonly storeEnded: Promise<void>;
}

/** Logs each step to `debugLog`, if there is one. */
export function createServerObserver(debugLog: ServerLogger | undefined): ServerObserver {
  let tell = (): void => undefined;
  const storeEnded = new Promise<void>((resolve) => (tell = resolve));
  return {
    storeEnded,
    observe: (event) => {
      const entry = debugLog === undefined ? undefined : debugEntry(event);
      if (entry !== undefined) debugLog?.log("debug", entry);
      if (event.kind === "store-ended") tell();
    },
  };
}
