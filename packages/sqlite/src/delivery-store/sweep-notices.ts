// Sweeps, and empties the log once notices were swept. Notices are the last rows that name a deleted user, and their
// old pages would stay in the file until the next checkpoint, which may take days on a server with few calls (decision:
// erasure).

import type { SweepRequest } from "@postrider/core";
import type { StoreConnection } from "../file/connection.js";
import type { Swept } from "./sweep.js";

/** Returns a function that sweeps one slice with `sweep`, and returns how many deliveries it has removed. */
export function createSweepAndEmptyLog(
  { emptyLog }: Pick<StoreConnection, "emptyLog">,
  sweep: (request: SweepRequest) => Promise<Swept>,
): (request: SweepRequest) => Promise<number> {
  /** True at the start: an earlier process may have died after sweeping and before emptying the log. */
  let isLogToEmpty = true;

  return async (request) => {
    const { deliveries, hasNotices } = await sweep(request);
    isLogToEmpty ||= hasNotices;
    const isLastSlice = deliveries < request.limit;
    if (isLogToEmpty && isLastSlice) isLogToEmpty = !(await emptyLog());
    return deliveries;
  };
}
