// The process as commands see it: output, input, environment, signals, clock and randomness. process-host.ts
// implements it for the real process.

import type { Cancel, Clock, Random } from "@postrider/core";
import type { Line } from "./terminal/line.js";

/**
 * 0 success · 1 a fault at run time · 2 a wrong command line or config · 130 stopped at once, by a second signal ·
 * 143 ended by SIGTERM, since the thread of the store does not end.
 */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

export type Signal = "SIGHUP" | "SIGINT" | "SIGTERM" | "SIGUSR2";

/** A warning of the runtime, or the uncaught fault that ends the process. */
export interface Trouble {
  readonly level: "warning" | "error";
  readonly code: "runtime-warning" | "crash";
  readonly detail: string;
}

export interface Host {
  /** Writes a line to standard output. */
  out(line: Line): void;
  /** Writes a line to standard error. */
  err(line: Line): void;
  /** True if standard error is a terminal. */
  readonly errIsTerminal: boolean;
  /** The number of characters in a line of standard output; undefined if it is not a terminal. */
  columns(): number | undefined;
  /** Shows a line on standard error, in place of the last such line. Absent if standard error is not a terminal. */
  readonly status?: (line: string) => void;
  /** Standard input, to be read once. */
  input(): AsyncIterable<Uint8Array>;
  /**
   * Asks on the terminal, and resolves with the line that was typed; undefined if the input has ended. Absent if standard input
   * or standard error is not a terminal.
   */
  readonly ask?: (question: string) => Promise<string | undefined>;
  env(name: string): string | undefined;
  /** Calls `listener` at each such signal until cancelled; the system's default action does not happen meanwhile. */
  onSignal(signal: Signal, listener: () => void): Cancel;
  /** Ends the process at once, as the signal would without a listener. */
  endBySignal(signal: "SIGINT" | "SIGTERM"): void;
  /** Calls `listener` for each trouble from now on, instead of writing a line to standard error. */
  onTrouble(listener: (trouble: Trouble) => void): void;
  readonly clock: Clock;
  readonly random: Random;
}
