// Whether this process does what one of the processes on its store is enough for: sweeping, carrying out requests about users, telling
// hooks what all of them see. A process without a board is alone, and does it.

import type { ProcessId } from "@postrider/core";
import { isOnDuty } from "@postrider/core/engine";

export interface Duty {
  readonly isMine: () => boolean;
  /** Takes the processes that live, as the board has told. */
  readonly hear: (living: readonly ProcessId[]) => void;
}

/** `process` is undefined without a board. */
export function createDuty(process: ProcessId | undefined): Duty {
  let isMine = process === undefined;
  return {
    isMine: () => isMine,
    hear: (living): void => {
      isMine = process === undefined || isOnDuty(process, living);
    },
  };
}
