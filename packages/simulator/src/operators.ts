// The operators of a simulation: each pauses a destination at its time and resumes it later. They, and hosts of
// audiences, repeat a request to the process that takes calls until it is answered, even if a process dies meanwhile.

import type { DestinationId } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { allowDelays, type Ledger } from "./ledger/ledger.js";
import { observePause, observeResume } from "./ledger/holds.js";
import type { Servers } from "./machine/create-machine.js";
import type { Process } from "./machine/process.js";
import type { SimulationOptions } from "./simulation.js";

export interface Operators {
  /** True if each pause was answered, and its end too. */
  areDone(): boolean;
}

interface OperatorsOptions extends Asking {
  readonly ledger: Ledger;
  readonly machine: Pick<Servers, "running" | "runs" | "graceMs">;
  readonly options: Pick<SimulationOptions, "operatorPauses">;
}

export function startOperators(operators: OperatorsOptions): Operators {
  const { clock, ledger, machine, options } = operators;
  const { operatorPauses = [] } = options;
  let openCount = operatorPauses.length;

  for (const { destination, fromMs, untilMs } of operatorPauses) {
    const lane = destination as DestinationId;
    const resume = (): void => {
      observeResume(ledger, lane);
      askUntilDone(
        operators,
        (process) => ask(process, "resume", lane),
        () => {
          allowDelays(ledger, machine.graceMs);
          openCount -= 1;
        },
      );
    };
    const pause = (): void => {
      ledger.everPaused.add(lane);
      askUntilDone(
        operators,
        (process) => ask(process, "pause", lane),
        (process) => {
          observePause(ledger, lane, process.number);
          clock.after(Math.max(0, untilMs - clock.monotonic()), resume);
        },
      );
    };
    clock.after(fromMs, pause);
  }
  return { areDone: () => openCount === 0 };
}

function ask({ relay }: Process, request: "pause" | "resume", lane: DestinationId): Promise<boolean> {
  return relay[request](lane).match(
    () => true,
    () => false,
  );
}

/** The pause of a host before it asks again, and the interval at which it checks that the process still runs. */
const ASK_AGAIN_MS = 2_000;

const CHECK_MS = 5_000;

export interface Asking {
  readonly clock: ManualClock;
  readonly machine: Pick<Servers, "running" | "runs">;
}

/**
 * Calls `ask` until it answers true, then `onDone` with the process that has. An answer does not count if its process has
 * stopped taking calls in the meantime.
 */
export function askUntilDone(
  { clock, machine }: Asking,
  ask: (process: Process) => Promise<boolean>,
  onDone: (process: Process) => void,
): void {
  function attempt(): void {
    const process = machine.running();
    if (process === undefined) askAgain();
    else askOnce(process);
  }

  function askAgain(): void {
    clock.after(ASK_AGAIN_MS, attempt);
  }

  function askOnce(process: Process): void {
    let isOver = false;
    const end = (isAnswered: boolean): void => {
      if (isOver) return;
      isOver = true;
      stopLooking();
      if (isAnswered && machine.runs(process)) onDone(process);
      else askAgain();
    };
    const look = (): (() => void) =>
      clock.after(CHECK_MS, () => {
        if (machine.runs(process)) stopLooking = look();
        else end(false);
      });
    let stopLooking = look();
    void ask(process).then(end);
  }

  attempt();
}
