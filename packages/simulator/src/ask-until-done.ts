// Asks the process that takes calls, and asks again until it is answered: hosts of audiences do so after a fault, and when the
// process that they asked is gone.

import type { ManualClock } from "@postrider/memory";
import type { Servers } from "./machine/create-machine.js";
import type { Process } from "./machine/process.js";

/** How long a host pauses before it asks again, and how often it looks whether the process is still there. */
const AGAIN_MS = 2_000;
const LOOK_MS = 5_000;

export interface Asking {
  readonly clock: ManualClock;
  readonly machine: Pick<Servers, "running" | "runs">;
}

/**
 * Calls `ask` until it answers true, then `onDone` with the process that has. An answer of a process that has stopped taking calls meanwhile does not
 * count.
 */
export function askUntilDone(
  { clock, machine }: Asking,
  ask: (process: Process) => Promise<boolean>,
  onDone: (by: Process) => void,
): void {
  function attempt(): void {
    const process = machine.running();
    if (process === undefined) again();
    else askOnce(process);
  }

  function again(): void {
    clock.after(AGAIN_MS, attempt);
  }

  function askOnce(process: Process): void {
    let isOver = false;
    const end = (isAnswered: boolean): void => {
      if (isOver) return;
      isOver = true;
      stopLooking();
      if (isAnswered && machine.runs(process)) onDone(process);
      else again();
    };
    const look = (): (() => void) =>
      clock.after(LOOK_MS, () => {
        if (machine.runs(process)) stopLooking = look();
        else end(false);
      });
    let stopLooking = look();
    void ask(process).then(end);
  }

  attempt();
}
