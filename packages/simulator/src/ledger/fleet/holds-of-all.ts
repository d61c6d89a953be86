// Checks that what a receiver asks of one server, all keep: the pause of a Retry-After, and one probe at a time while its lane is
// held.

import type { EndpointId } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { verdictOf } from "../known-verdict.js";
import { type KnownDelivery, type KnownRequest, type Ledger, nameOf, reportBroken } from "../ledger.js";
import { type FleetLane, fleetEndpointOf, fleetLaneOf, type KnownFleet } from "./known-fleet.js";
import { knownToAllAt, LEARN_MS } from "./tolerances.js";
import { isInLastSlot } from "./windows.js";

/** The least time between two probes of one server: half of the first backoff. */
const LEAST_PROBE_MS = 2_500;

/** Records the hold that an endpoint has asked a process for. */
export function observeAsked({ clock, fleet }: Ledger, endpoint: EndpointId, heardBy: number, holdMs: number): void {
  if (fleet === undefined) return;
  const heardAt = clock.monotonic();
  fleetEndpointOf(fleet, endpoint).hold = { heardBy, heardAt, until: heardAt + holdMs };
}

/** Checks a request of a process. The process that has heard of the hold knows it at once, and to the millisecond. */
export function checkAsked(ledger: Ledger, fleet: KnownFleet, known: KnownDelivery, request: SentBy): void {
  const { process, endpoint } = request;
  const hold = fleet.endpoints.get(endpoint)?.hold;
  if (hold === undefined) return;
  const now = ledger.clock.monotonic();
  const isHearer = hold.heardBy === process;
  const from = isHearer ? hold.heardAt : knownToAllAt(fleet, hold.heardAt);
  const until = isHearer ? hold.until - 1 : hold.until - LEARN_MS;
  if (now < from || now >= until || isInLastSlot(ledger, fleet, known)) return;
  const by = `process ${String(process)}, ${String(hold.until - now)} ms before the end of what`;
  reportBroken(
    ledger,
    "retry-after-of-all",
    `${endpoint} got ${nameOf(known)} of ${by} process ${String(hold.heardBy)} has heard`,
  );
}

interface SentBy {
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
export function observeLaneSuccess(lane: FleetLane): void {
  lane.heldSince.clear();
  lane.successes += 1;
}

/** Checks the first request of a round to a lane that is held. */
export function checkProbe(ledger: Ledger, fleet: KnownFleet, request: KnownRequest): void {
  const lane = fleetLaneOf(fleet, request.of.lane);
  const heldFrom = knownToAllAt(fleet, Math.min(Infinity, ...lane.heldSince.values()));
  const before = lane.lastProbe;
  lane.lastProbe = request.sentAt >= heldFrom ? request : undefined;
  if (lane.lastProbe === undefined || before === undefined || !isProbe(before.result)) return;
  const sinceMs = request.sentAt - before.sentAt;
  if (sinceMs < LEAST_PROBE_MS)
    reportBroken(ledger, "probes-in-sum", `${nameOf(request.of)} was sent ${String(sinceMs)} ms after the last probe`);
}

/** Whether the next probe must wait: not after a fault of this machine, nor after a refusal, which may be of this message alone. */
function isProbe(result: string | undefined): boolean {
  return result === undefined || verdictOf(result) === "retry";
}
