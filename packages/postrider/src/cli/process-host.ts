// The host for the real process. Escapes all output, so that no text can control the terminal, and asks questions through one reader
// of the input: lines that were typed or pasted ahead answer later questions. Knows no commands.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import { createInterface } from "node:readline";
import { toPrintable } from "../log/printable.js";
import type { ExitCode, Host, Trouble } from "./host.js";
import { type Line, renderLine, wantsColours } from "./terminal/line.js";

/** Clears the current line of a terminal. */
const CLEAR_LINE = "\r\u001b[2K";

/** The width of a terminal that does not report its own. */
const DEFAULT_COLUMNS = 80;

/** Takes over the warnings and crash reports of the runtime, so that only the host writes output. */
export function createProcessHost(): Host {
  const writeError = writerOf(process.stderr);
  let tell = (trouble: Trouble): void => writeError(`postrider: ${trouble.detail}`);
  takeOverTroubles((trouble) => tell(trouble));
  // The reader of the output may end first (`postrider listen | head -1`); a server goes on without it.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return {
    out: writerOf(process.stdout),
    err: writeError,
    errIsTerminal: process.stderr.isTTY,
    columns: () => (process.stdout.isTTY ? process.stdout.columns || DEFAULT_COLUMNS : undefined),
    ...(process.stderr.isTTY
      ? { status: (line: string) => void process.stderr.write(`${CLEAR_LINE}${toPrintable(line)}`) }
      : {}),
    input: () => process.stdin,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: createAsk(process.stdin, process.stderr) } : {}),
    env: (name) => process.env[name],
    onSignal: (signal, listener) => {
      process.on(signal, listener);
      return () => void process.removeListener(signal, listener);
    },
    endBySignal,
    onTrouble: (listener) => {
      tell = listener;
    },
    clock: createSystemClock(),
    random: createSystemRandom(),
  };
}

/**
 * Ends the process. `process.exit` waits for all threads, and a thread in a system call on a hanging disk never ends. With
 * status 143, which is that of SIGTERM, the process therefore ends by this signal.
 */
export function endProcess(code: ExitCode): void {
  if (code !== 143) process.exit(code);
  endBySignal("SIGTERM");
}

/** Ends the process even if a thread is busy in a system call or in a library, for which `process.exit` would wait. */
function endBySignal(signal: "SIGINT" | "SIGTERM"): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function writerOf(stream: NodeJS.WriteStream): (line: Line) => void {
  const hasColours = wantsColours(stream.isTTY, (name) => process.env[name]);
  return (line) => void stream.write(`${renderLine(line, hasColours)}\n`);
}

/** Reports warnings of the runtime. Reports uncaught faults and ends the process; the store survives such a crash. */
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

/** Resolves with the next line of the input; undefined if it has ended. */
type Ask = (question: string) => Promise<string | undefined>;

/** Reads nothing before the first question. The reader keeps the process going until it exits. */
export function createAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask {
  let ask: Ask | undefined;
  return (question) => (ask ??= openReader(input, output))(toPrintable(question));
}

function openReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask {
  const reader = createInterface({ input, output });
  const lines: string[] = [];
  let answer: ((line: string | undefined) => void) | undefined;
  let hasEnded = false;

  function settle(line: string | undefined): void {
    answer?.(line);
    answer = undefined;
  }

  reader.on("line", (line) => {
    if (answer === undefined) lines.push(line);
    else settle(line);
  });
  reader.on("close", () => {
    hasEnded = true;
    settle(undefined);
  });
  return (question) => {
    const line = lines.shift();
    if (line !== undefined) output.write(`${question}${line}\n`);
    if (line !== undefined || hasEnded) return Promise.resolve(line);
    reader.setPrompt(question);
    reader.prompt();
    return new Promise((resolve) => (answer = resolve));
  };
}
