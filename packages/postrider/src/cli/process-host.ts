// The real process as a host. Whatever a command writes, nothing in it steers the terminal that shows it.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { ExitCode, Host, Trouble } from "./host.js";
import { printable } from "../log/printable.js";

/** Back to the beginning of the line, and nothing on it. */
const CLEAR_LINE = "\r\u001b[2K";

/** Takes over what the process would say by itself: from now on only the host writes. */
export function createProcessHost(): Host {
  let tell = (trouble: Trouble): void => writeTo(process.stderr, `postrider: ${trouble.detail}`);
  takeOverTroubles((trouble) => tell(trouble));
  // Whoever reads the output may go away first (`postrider listen | head -1`); a server goes on without a reader.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return {
    out: (line) => writeTo(process.stdout, line),
    err: (line) => writeTo(process.stderr, line),
    ...(process.stderr.isTTY
      ? { status: (line: string) => void process.stderr.write(`${CLEAR_LINE}${printable(line)}`) }
      : {}),
    input: () => process.stdin,
    env: (name) => process.env[name],
    onSignal: (signal, listener) => {
      process.on(signal, listener);
      return () => void process.removeListener(signal, listener);
    },
    onTrouble: (listener) => {
      tell = listener;
    },
    clock: createSystemClock(),
    random: createSystemRandom(),
  };
}

/**
 * `process.exit` waits for all threads, and one in a system call of a disk that hangs does not come back: such a process
 * ends by the signal that its status stands for.
 */
export function endProcess(code: ExitCode): void {
  if (code !== 143) process.exit(code);
  process.removeAllListeners("SIGTERM");
  process.kill(process.pid, "SIGTERM");
}

function writeTo(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${printable(line)}\n`);
}

/** A warning of the runtime is told; what nobody foresaw is told and ends the process: what is stored is safe. */
function takeOverTroubles(tell: (trouble: Trouble) => void): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => tell({ level: "warning", code: "runtime-warning", detail: describe(warning) }));
  const crash = (fault: unknown): never => {
    tell({ level: "error", code: "crash", detail: describe(fault) });
    process.exit(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
}

function describe(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}` : "an unknown fault";
}
