// Detects that the process can open no further file or socket. Node then closes new connections without an event; therefore
// a file is opened and closed from time to time.

import type { Cancel, Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createThrottledLog } from "../log/server-logger.js";

export interface HandleWatch {
  readonly start: () => void;
  readonly stop: () => void;
  /** True if the last check found no free handle. */
  areUsedUp(): boolean;
}

export interface HandleWatchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  /** False if no handle is free for a file; by default it opens the null device, and ignores other errors. */
  readonly canOpen?: () => boolean;
}

const USED_UP = "no further file or socket can be opened, and new connections are closed; raise the limit (ulimit -n)";

/** Logs when handles are used up and when they are free again, with limits on how often. */
export function watchForHandleExhaustion({
  clock,
  logger,
  everyMs,
  canOpen = canOpenFile,
}: HandleWatchOptions): HandleWatch {
  const tellUsedUp = createThrottledLog(logger, clock, { level: "error", code: "no-file-handles", detail: USED_UP });
  const tellFree = createThrottledLog(logger, clock, { level: "info", code: "file-handles-free" });
  let cancel: Cancel | undefined;
  let isUsedUp = false;

  function look(): void {
    const wasUsedUp = isUsedUp;
    isUsedUp = !canOpen();
    if (isUsedUp && !wasUsedUp) tellUsedUp();
    if (!isUsedUp && wasUsedUp) tellFree();
    cancel = clock.after(everyMs, look);
  }

  return {
    start: () => {
      cancel ??= clock.after(everyMs, look);
    },
    stop: () => cancel?.(),
    areUsedUp: () => isUsedUp,
  };
}

function canOpenFile(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "EMFILE" && code !== "ENFILE";
  }
}
