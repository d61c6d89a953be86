// Reports to a host once that the stores have failed; further failures are not reported. It does not know how a failure is
// found.

import { createStoreError, type StoreError, type StoreErrorCode } from "@postrider/core";

export interface FailureReport {
  /** Passes on the first failure, and only that. */
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
  // Used if the host gave no callback.
}
