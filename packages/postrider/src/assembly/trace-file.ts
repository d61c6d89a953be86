// Records a relay, and writes the trace to a file: on request, at the first sign that the store is corrupt, and at the end (decision:
// traces).

import type { Clock, RecordablePorts, RelayRecorder } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Logger, RelayEvent } from "@postrider/relay";
import { recordPorts } from "@postrider/relay/trace";
import { statSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../log/printable.js";

/** The owner alone may read a trace: it names deliveries and their receivers. */
const MODE = 0o600;
const MEGABYTE = 1_048_576;

export interface TraceFileOptions {
  /** The file, or a folder that gets a further file each time. */
  readonly path: string;
  readonly megabytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TraceFile {
  readonly record: (ports: RecordablePorts) => RelayRecorder;
  readonly observe: (event: RelayEvent) => void;
  /** Writes the trace so far. Never rejects: errors are logged. */
  readonly save: () => Promise<void>;
}

export function createTraceFile({ path, megabytes, clock, logger }: TraceFileOptions): TraceFile {
  let takeTrace: (() => Promise<Uint8Array>) | undefined;
  let lastSave: Promise<void> = Promise.resolve();
  let wasCorrupt = false;

  async function write(): Promise<void> {
    if (takeTrace === undefined) return;
    const file = isFolder(path) ? join(path, `postrider-${stampOf(clock)}.trace`) : path;
    try {
      await writeFile(`${file}.part`, await takeTrace(), { mode: MODE });
      await rename(`${file}.part`, file);
      logger.log("info", { code: "trace-saved", detail: file });
    } catch (error) {
      logger.log("error", {
        code: "trace-not-saved",
        detail: reasonOf(error),
      });
    }
  }

  function save(): Promise<void> {
    lastSave = lastSave.then(write);
    return lastSave;
  }

  return {
    record: (ports) => {
      const { ports: recordedPorts, saveTrace } = recordPorts(ports, { maxBytes: megabytes * MEGABYTE });
      takeTrace = saveTrace;
      return recordedPorts.recorder;
    },
    observe: (event): void => {
      if (wasCorrupt || event.kind !== "store-fault" || event.code !== "corrupt") return;
      wasCorrupt = true;
      void save();
    },
    save,
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The time as part of a file name, which on some systems has no colons. */
function stampOf(clock: Clock): string {
  return formatTimestamp(clock.wall()).replaceAll(":", "-");
}
