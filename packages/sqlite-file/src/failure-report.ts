// Tells the host that the stores have failed; only the first failure is reported. It does not know how failures are found.

import { createStoreError, type StoreError, type StoreErrorCode } from "@postrider/core";

export interface FailureReport {
  /** Reports the failure, unless one was reported before. */
  tell(code: StoreErrorCode, why: string): void;
  /** From now on, nothing is reported. */
  mute(): void;
}

export function createFailureReport(onFailure: (error: StoreError) => void = nothing): FailureReport {
  let isDone = false;
  return {
    tell: (code, why) => {
      if (isDone) return;
      isDone = true;
      onFailure(createStoreError(code, why));
    },
    mute: () => {
      isDone = true;
    },
  };
}

function nothing(): void {
  // The default: the host gave no callback.
}
