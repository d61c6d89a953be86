// The log of a command: as text if standard error is a terminal, otherwise as JSON lines, unless the operator chooses.

import { createJsonLines } from "../log/log-lines.js";
import { createLevelFilter, type ServerLogger, type ServerLogLevel } from "../log/server-logger.js";
import { createTextLines } from "../log/text-lines.js";
import type { Host } from "./host.js";

export interface HostLogOptions {
  readonly format?: "json" | "text" | undefined;
  /** `info` if absent. */
  readonly level?: ServerLogLevel | undefined;
}

/** Writes to standard error. */
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
