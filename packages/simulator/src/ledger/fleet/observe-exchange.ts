// Takes each request and each reply of several servers to the checks of what they send together.

import type { RateLimit } from "@postrider/core";
import type { KnownRequest, Ledger } from "../ledger.js";
import { checkTrueClaim } from "./claims.js";
import { checkAsked, checkProbe, observeLaneSuccess } from "./holds-of-all.js";
import { fleetLaneOf, type KnownFleet } from "./known-fleet.js";
import { checkOpenInSum, checkRateInSum, observeClosed } from "./sums.js";
import { checkTrueWindow } from "./windows.js";

/** A request as one of several servers sends it. */
export interface OpenedAttempt {
  readonly process: number;
  readonly request: KnownRequest;
  /** Whether it is the first of its round. */
  readonly isFirst: boolean;
  readonly rateLimit: RateLimit | undefined;
}

export function checkExchange(
  ledger: Ledger,
  fleet: KnownFleet,
  { process, request, isFirst, rateLimit }: OpenedAttempt,
): void {
  const { of: known, endpoint } = request;
  checkTrueClaim(ledger, fleet, known, process);
  checkTrueWindow(ledger, fleet, known);
  checkAsked(ledger, fleet, known, { process, endpoint });
  checkOpenInSum(ledger, fleet, process, request);
  if (!isFirst) return;
  checkProbe(ledger, fleet, request);
  if (rateLimit !== undefined) checkRateInSum(ledger, fleet, known, rateLimit);
}

export function observeExchangeEnd(
  { fleet }: Ledger,
  process: number,
  { of, endpoint }: KnownRequest,
  isSuccess: boolean,
): void {
  if (fleet === undefined) return;
  observeClosed(fleet, process, endpoint);
  if (isSuccess) observeLaneSuccess(fleetLaneOf(fleet, of.lane));
}
