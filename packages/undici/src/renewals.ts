// Limits how many connections to an origin are closed after failed answers, so that a receiver that fails does not cost a
// handshake for each try (decision: connections have an age).

import type { MonoMs } from "@postrider/core";
import { MAX_RENEWALS, RENEWALS_WINDOW_MS } from "./limits.js";

/** Whether one more may be closed; if so, it is counted. */
export type MayRenew = (now: MonoMs) => boolean;

export function createMayRenew(): MayRenew {
  let count = 0;
  let since = -Infinity;
  return (now) => {
    if (now - since >= RENEWALS_WINDOW_MS) {
      since = now;
      count = 0;
    }
    if (count >= MAX_RENEWALS) return false;
    count += 1;
    return true;
  };
}
