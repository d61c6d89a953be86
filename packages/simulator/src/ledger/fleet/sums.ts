// Checks what all servers send together against what one may send: the rate limit of a destination, and the open attempts at an
// endpoint. Does not call core, so that an error of core is not repeated.

import type { EndpointId, RateLimit } from "@postrider/core";
import { type KnownDelivery, type KnownRequest, type Ledger, nameOf, reportBroken } from "../ledger.js";
import { type FleetEndpoint, fleetEndpointOf, type FleetLane, fleetLaneOf, type KnownFleet } from "./known-fleet.js";
import { LEARN_MS, OPEN_SHARE, RATE_SHARE } from "./tolerances.js";

/** The longest time from when a server takes a token to its request, while the store is sound. */
const UNSEEN_MS = 500;
/** The deliveries that one server first has under way in a lane, and at most. */
const FIRST_UNDER_WAY = 32;
const MAX_UNDER_WAY = 512;
/** The bound of open attempts at one of several endpoints, if the lane has fewer deliveries under way. */
const LEAST_OPEN_BOUND = 64;

/** Counts the first request of a round, and checks that the rate limit allows it. */
export function checkRateInSum(ledger: Ledger, fleet: KnownFleet, known: KnownDelivery, rateLimit: RateLimit): void {
  const { burst, perSecond } = rateLimit;
  const lane = fleetLaneOf(fleet, known.lane);
  const atMs = ledger.clock.monotonic();
  const capacity = burst + (perSecond * UNSEEN_MS) / 1_000;
  const gained = (ms: number): number => (ms * perSecond * RATE_SHARE) / 1_000;
  // After a fault, requests may come in heaps.
  const isHeap = atMs < fleet.unsteadyUntil + LEARN_MS;
  const before = isHeap || lane.tokens === undefined ? { count: capacity, atMs } : lane.tokens;
  const count = Math.min(capacity, before.count + gained(atMs - before.atMs));
  lane.tokens = { count: Math.max(0, count - 1), atMs };
  if (count < 1)
    reportBroken(
      ledger,
      "rate-in-sum",
      `${nameOf(known)} was sent, and the limit of ${known.lane} left ${count.toFixed(2)}`,
    );
}

/** Counts a request that was sent, and checks that one server could have as many open. */
export function checkOpenInSum(ledger: Ledger, fleet: KnownFleet, process: number, request: KnownRequest): void {
  const endpoint = fleetEndpointOf(fleet, request.endpoint);
  count(endpoint, process, 1);
  const open = [...endpoint.open.values()].reduce((sum, some) => sum + some, 0);
  const ofOne = mostOfOne(fleetLaneOf(fleet, request.of.lane), request.isOnly);
  if (open > ofOne * OPEN_SHARE)
    reportBroken(
      ledger,
      "attempts-in-sum",
      `${request.endpoint} has ${String(open)} open; one server has ${String(ofOne)} at most`,
    );
}

/** Records that a process got the reply to a request. */
export function observeClosed(fleet: KnownFleet, process: number, id: EndpointId): void {
  count(fleetEndpointOf(fleet, id), process, -1);
}

function mostOfOne({ successes }: FleetLane, isOnly: boolean): number {
  const underWay = Math.min(MAX_UNDER_WAY, FIRST_UNDER_WAY + successes);
  return isOnly ? underWay : Math.max(LEAST_OPEN_BOUND, underWay);
}

function count({ open }: FleetEndpoint, process: number, step: 1 | -1): void {
  const next = (open.get(process) ?? 0) + step;
  if (next > 0) open.set(process, next);
  else open.delete(process);
}
