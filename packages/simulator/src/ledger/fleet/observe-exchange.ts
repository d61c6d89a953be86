// Checks each request and each reply of several servers: all keep a Retry-After and one probe at a time, a rate limit,
// and the limit of open attempts. Does not call core, so that an error of core is not repeated.

import type { RateLimit, EndpointId } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { type KnownRequest, type Ledger, type KnownDelivery, nameOf, reportBroken } from "../ledger.js";
import { observeTrueRequest } from "./claims.js";
import {
  fleetLaneOf,
  type KnownFleet,
  type FleetLane,
  fleetEndpointOf,
  knownToAllAt,
  LEARN_MS,
  type FleetEndpoint,
  OPEN_SHARE,
  RATE_SHARE,
} from "./known-fleet.js";
import { checkTrueWindow, isInLastSlot } from "./windows.js";
import { verdictOf } from "../verdicts.js";

/** A request as one of several servers sends it. */
interface OpenedAttempt {
  readonly process: number;
  readonly request: KnownRequest;
  /** True if it is the first of its round. */
  readonly isFirst: boolean;
  readonly rateLimit: RateLimit | undefined;
}

export function checkExchange(
  ledger: Ledger,
  fleet: KnownFleet,
  { process, request, isFirst, rateLimit }: OpenedAttempt,
): void {
  const { delivery, endpoint } = request;
  observeTrueRequest(ledger, fleet, delivery, process);
  checkTrueWindow(ledger, fleet, delivery);
  checkFleetHold(ledger, fleet, delivery, { process, endpoint });
  checkOpenInSum(ledger, fleet, process, request);
  if (!isFirst) return;
  checkProbe(ledger, fleet, request);
  if (rateLimit !== undefined) checkRateInSum(ledger, fleet, delivery, rateLimit);
}

export function observeExchangeEnd(
  { fleet }: Ledger,
  process: number,
  { delivery, endpoint }: KnownRequest,
  isSuccess: boolean,
): void {
  if (fleet === undefined) return;
  observeClosed(fleet, process, endpoint);
  if (isSuccess) observeLaneSuccess(fleetLaneOf(fleet, delivery.lane));
}

/** The least time between two probes of one server: half of the first backoff. */
const LEAST_PROBE_MS = 2_500;

/** Records the hold that an endpoint has asked a process for. */
export function observeFleetHold(
  { clock, fleet }: Ledger,
  endpoint: EndpointId,
  heardBy: number,
  holdMs: number,
): void {
  if (fleet === undefined) return;
  const heardAt = clock.monotonic();
  fleetEndpointOf(fleet, endpoint).hold = { heardBy, heardAt, until: heardAt + holdMs };
}

/** Checks a request of a process. The process that has heard of the hold knows it at once, and to the millisecond. */
function checkFleetHold(ledger: Ledger, fleet: KnownFleet, delivery: KnownDelivery, request: SentRequest): void {
  const { process, endpoint } = request;
  const hold = fleet.endpoints.get(endpoint)?.hold;
  if (hold === undefined) return;
  const nowMs = ledger.clock.monotonic();
  const isHearer = hold.heardBy === process;
  const from = isHearer ? hold.heardAt : knownToAllAt(fleet, hold.heardAt);
  const until = isHearer ? hold.until - 1 : hold.until - LEARN_MS;
  if (nowMs < from || nowMs >= until || isInLastSlot(ledger, fleet, delivery)) return;
  const by = `process ${String(process)}, ${String(hold.until - nowMs)} ms before the end of what`;
  reportBroken(
    ledger,
    "retry-after-of-all",
    `${endpoint} got ${nameOf(delivery)} of ${by} process ${String(hold.heardBy)} has heard`,
  );
}

interface SentRequest {
  readonly process: number;
  readonly endpoint: EndpointId;
}

/** Records that a process holds a lane since its receiver fails or refuses whatever it gets, or opens it. */
export function observeHeldLane({ clock, fleet }: Ledger, process: number, event: RelayEvent): void {
  if (fleet === undefined) return;
  if (event.kind === "lane-held") fleetLaneOf(fleet, event.destination).heldSince.set(process, clock.monotonic());
  if (event.kind === "lane-open") fleetLaneOf(fleet, event.destination).heldSince.delete(process);
}

/** Records a success: what any server has held is open then. */
function observeLaneSuccess(lane: FleetLane): void {
  lane.heldSince.clear();
  lane.successes += 1;
}

/** Checks the first request of a round to a lane that is held. */
function checkProbe(ledger: Ledger, fleet: KnownFleet, request: KnownRequest): void {
  const lane = fleetLaneOf(fleet, request.delivery.lane);
  const heldFrom = knownToAllAt(fleet, Math.min(Infinity, ...lane.heldSince.values()));
  const previousProbe = lane.lastProbe;
  lane.lastProbe = request.sentAt >= heldFrom ? request : undefined;
  if (lane.lastProbe === undefined || previousProbe === undefined || !mustWaitAfter(previousProbe.result)) return;
  const sinceMs = request.sentAt - previousProbe.sentAt;
  if (sinceMs < LEAST_PROBE_MS)
    reportBroken(
      ledger,
      "probes-in-sum",
      `${nameOf(request.delivery)} was sent ${String(sinceMs)} ms after the last probe`,
    );
}

/** True if the next probe must wait. It need not after a fault of this machine, nor after a refusal, which may be of one message alone. */
function mustWaitAfter(result: string | undefined): boolean {
  return result === undefined || verdictOf(result) === "retry";
}

/** The longest time from when a server counts a round to its request, while the store is sound. */
const UNSEEN_MS = 500;

/** The deliveries that one server first has under way in a lane, and at most. */
const FIRST_UNDER_WAY = 32;

const MAX_UNDER_WAY = 512;

/** The bound of open attempts at one of several endpoints, if the lane has fewer deliveries under way. */
const LEAST_OPEN_BOUND = 64;

/** Counts the first request of a round, and checks that the rate limit allows it. */
function checkRateInSum(ledger: Ledger, fleet: KnownFleet, delivery: KnownDelivery, rateLimit: RateLimit): void {
  const { burst, perSecond } = rateLimit;
  const lane = fleetLaneOf(fleet, delivery.lane);
  const atMs = ledger.clock.monotonic();
  const capacity = burst + (perSecond * UNSEEN_MS) / 1_000;
  const gained = (ms: number): number => (ms * perSecond * RATE_SHARE) / 1_000;
  // After a fault, requests may come in heaps.
  const isHeap = atMs < fleet.steadySince + LEARN_MS;
  const earlier = isHeap || lane.roundsLeft === undefined ? { count: capacity, atMs } : lane.roundsLeft;
  const count = Math.min(capacity, earlier.count + gained(atMs - earlier.atMs));
  lane.roundsLeft = { count: Math.max(0, count - 1), atMs };
  if (count < 1)
    reportBroken(
      ledger,
      "rate-in-sum",
      `${nameOf(delivery)} was sent, and the limit of ${delivery.lane} left ${count.toFixed(2)}`,
    );
}

/** Counts a request that was sent, and checks that one server could have as many open. */
function checkOpenInSum(ledger: Ledger, fleet: KnownFleet, process: number, request: KnownRequest): void {
  const endpoint = fleetEndpointOf(fleet, request.endpoint);
  count(endpoint, process, 1);
  const open = [...endpoint.open.values()].reduce((sum, openOfProcess) => sum + openOfProcess, 0);
  const boundOfOne = openBoundOfOne(fleetLaneOf(fleet, request.delivery.lane), request.isOnly);
  if (open > boundOfOne * OPEN_SHARE)
    reportBroken(
      ledger,
      "attempts-in-sum",
      `${request.endpoint} has ${String(open)} open; one server has ${String(boundOfOne)} at most`,
    );
}

/** Records that a process got the reply to a request. */
function observeClosed(fleet: KnownFleet, process: number, id: EndpointId): void {
  count(fleetEndpointOf(fleet, id), process, -1);
}

function openBoundOfOne({ successes }: FleetLane, isOnly: boolean): number {
  const underWay = Math.min(MAX_UNDER_WAY, FIRST_UNDER_WAY + successes);
  return isOnly ? underWay : Math.max(LEAST_OPEN_BOUND, underWay);
}

function count({ open }: FleetEndpoint, process: number, step: 1 | -1): void {
  const openCount = (open.get(process) ?? 0) + step;
  if (openCount > 0) open.set(process, openCount);
  else open.delete(process);
}
