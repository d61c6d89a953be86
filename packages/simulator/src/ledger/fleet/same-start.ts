// Decides whether a recorded attempt is of a request that was seen: by when it started, which several servers know by asking their
// store, and so not to the millisecond.

import type { AttemptRecord, EpochMs } from "@postrider/core";
import type { KnownDelivery, KnownRequest, Ledger } from "../ledger.js";
import { resultOf } from "../known-verdict.js";
import type { KnownFleet } from "./known-fleet.js";
import { CLOCK_ERROR_MS } from "./tolerances.js";

export function isSameStart(fleet: KnownFleet | undefined, sentAt: EpochMs, recordedAt: EpochMs): boolean {
  return Math.abs(sentAt - recordedAt) <= (fleet === undefined ? 0 : CLOCK_ERROR_MS);
}

/** The requests that were seen of a recorded attempt: there may be several, of processes that sent at the same time. */
export function requestsOf(
  { fleet }: Ledger,
  { sent }: KnownDelivery,
  { endpoint, startedAt, result }: AttemptRecord,
): readonly KnownRequest[] {
  const said = resultOf(result);
  return sent.filter(
    (one) => one.endpoint === endpoint && one.result === said && isSameStart(fleet, one.startedAt, startedAt),
  );
}
