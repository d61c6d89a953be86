// Tells a host once that the stores have failed, whatever fails after that. It does not know how a failure is found.

import type { StoreError, StoreErrorCode } from "@postrider/core";

export interface FailureReport {
  /** Passes on the first failure; those after it are not told. */
  tell(code: StoreErrorCode, why: string): void;
  /** From now on, nothing is told. */
  mute(): void;
}

export function createFailureReport(onFailure: (error: StoreError) => void = nothing): FailureReport {
  let isDone = false;
  return {
    tell: (code, why) => {
      if (isDone) return;
      isDone = true;
      onFailure(Object.assign(new Error(why), { code }));
    },
    mute: () => {
      isDone = true;
    },
  };
}

function nothing(): void {
  // A host that did not ask is not told.
}
