// What a command sees of the process that it runs in: where to write, the environment, the signals, the clock, chance.
// The real one is made in process-host.ts; a test hands in its own and reads what was written.

import type { Cancel, Clock, Random } from "@postrider/core";

/**
 * 0 done · 1 a fault at run time · 2 a wrong command line or config · 130 ended at once, by a second signal ·
 * 143 ended by SIGTERM, as the thread of its store does not end.
 */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

export type Signal = "SIGHUP" | "SIGINT" | "SIGTERM";

/** What the process has to say that no command asked for: a warning of the runtime, or the fault that it dies of. */
export interface Trouble {
  readonly level: "warning" | "error";
  readonly code: "runtime-warning" | "crash";
  readonly detail: string;
}

export interface Host {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Shows a line on standard error that the next one takes the place of. Absent where nobody sits in front of it. */
  readonly status?: (line: string) => void;
  /** Standard input, as it comes. To be read once. */
  input(): AsyncIterable<Uint8Array>;
  env(name: string): string | undefined;
  /** Calls `listener` at each such signal, in place of what the system does, until cancelled. */
  onSignal(signal: Signal, listener: () => void): Cancel;
  /** Tells troubles to `listener` from now on, in place of a plain line on standard error. */
  onTrouble(listener: (trouble: Trouble) => void): void;
  readonly clock: Clock;
  readonly random: Random;
}
