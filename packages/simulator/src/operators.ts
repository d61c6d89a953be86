// The operators of a simulation: each pauses a destination at its time and resumes it later, and asks again until it is answered.

import type { DestinationId } from "@postrider/core";
import { askUntilDone, type Asking } from "./ask-until-done.js";
import { allowDelays, type Ledger } from "./ledger/ledger.js";
import { observePause, observeResume } from "./ledger/operator-pauses.js";
import type { Servers } from "./machine/create-machine.js";
import type { Process } from "./machine/process.js";
import type { SimulationOptions } from "./simulation.js";

export interface Operators {
  /** Whether each pause was answered, and its end too. */
  areDone(): boolean;
}

export interface OperatorsOptions extends Asking {
  readonly ledger: Ledger;
  readonly machine: Pick<Servers, "running" | "runs" | "graceMs">;
  readonly options: Pick<SimulationOptions, "operatorPauses">;
}

export function startOperators(operators: OperatorsOptions): Operators {
  const { clock, ledger, machine, options } = operators;
  const { operatorPauses = [] } = options;
  let left = operatorPauses.length;

  for (const { destination, fromMs, untilMs } of operatorPauses) {
    const lane = destination as DestinationId;
    const resume = (): void => {
      observeResume(ledger, lane);
      askUntilDone(
        operators,
        (process) => ask(process, "resume", lane),
        () => {
          allowDelays(ledger, machine.graceMs);
          left -= 1;
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
  return { areDone: () => left === 0 };
}

function ask({ relay }: Process, request: "pause" | "resume", lane: DestinationId): Promise<boolean> {
  return relay[request](lane).match(
    () => true,
    () => false,
  );
}
