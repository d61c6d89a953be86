// Records the pauses of operators, and checks that the processes that must know of one send nothing: the process that has answered
// it, and all that start later. Others learn of it by a poll.

import type { DestinationId } from "@postrider/core";
import { addTraceLine, type Ledger } from "./ledger.js";

/** To be called when a pause was answered. */
export function observePause(ledger: Ledger, lane: DestinationId, answeredBy: number | undefined): void {
  ledger.pauses.set(lane, { answeredBy, lastBefore: ledger.processes });
  addTraceLine(ledger, `an operator has paused ${lane}`);
}

/** To be called before the end of a pause is asked for. */
export function observeResume(ledger: Ledger, lane: DestinationId): void {
  ledger.pauses.delete(lane);
  addTraceLine(ledger, `an operator resumes ${lane}`);
}

/** Whether a process must send nothing to a lane, since an operator has paused it. */
export function mustBePaused({ pauses }: Ledger, lane: DestinationId, process: number): boolean {
  const pause = pauses.get(lane);
  return pause !== undefined && (process === pause.answeredBy || process > pause.lastBefore);
}
