// Records which processes run, when the store fails, and who has claimed a delivery, by true time. Checks that one
// server at a time sends a delivery: one that has a valid claim.

import type { DeliveryId, LeaseToken } from "@postrider/core";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import { type KnownDelivery, type Ledger, nameOf, reportBroken } from "../ledger.js";
import { fleetDeliveryOf, type KnownFleet, LEASE_END_MS, LEARN_MS } from "./known-fleet.js";

/** The process that claims a delivery, and its lease. */
interface Claiming {
  readonly process: number;
  readonly token: LeaseToken;
  readonly leaseMs: number;
}

/** Records a claim that has just taken effect: by a claim, or by the commit that stored the delivery. */
export function observeTrueClaim(
  { clock, fleet }: Ledger,
  id: DeliveryId,
  { process, token, leaseMs }: Claiming,
): void {
  if (fleet === undefined) return;
  const until = clock.monotonic() + leaseMs;
  fleetDeliveryOf(fleet, id).claims.set(process, { token, until, isSent: false });
}

/** Records that a process has settled a delivery, whether or not that took effect. */
export function observeTrueRelease(
  { fleet }: Ledger,
  id: DeliveryId,
  { process, token }: Omit<Claiming, "leaseMs">,
): void {
  const claims = fleet?.deliveries.get(id)?.claims;
  if (claims?.get(process)?.token === token) claims.delete(process);
}

/** Checks a request of a process, and records that it was sent. */
export function observeTrueRequest(ledger: Ledger, fleet: KnownFleet, delivery: KnownDelivery, process: number): void {
  const nowMs = ledger.clock.monotonic();
  const { claims } = fleetDeliveryOf(fleet, delivery.id);
  if (delivery.state === "delivered" || delivery.state === "dead")
    reportBroken(ledger, "none-after-the-end", `${nameOf(delivery)} was ${delivery.state} before this request`);
  for (const [other, claim] of claims) {
    if (other === process || !claim.isSent || !fleet.running.has(other) || nowMs >= claim.until - LEASE_END_MS)
      continue;
    const description = `process ${String(process)} sends ${nameOf(delivery)}, which process ${String(other)} has sent`;
    reportBroken(
      ledger,
      "one-sender",
      `${description} under a lease that lasts ${String(claim.until - nowMs)} ms more`,
    );
  }
  const ownClaim = claims.get(process);
  if (ownClaim === undefined) return;
  ownClaim.isSent = true;
  const leftMs = ownClaim.until - nowMs;
  if (leftMs < ledger.policy.timeoutMs + LEASE_SLACK_MS)
    reportBroken(ledger, "true-leases", `${nameOf(delivery)} was sent with ${String(leftMs)} ms left of its lease`);
}

export function observeStart({ fleet }: Ledger, process: number): void {
  fleet?.running.add(process);
}

export function observeDeath({ clock, fleet }: Ledger, process: number): void {
  if (fleet === undefined) return;
  fleet.running.delete(process);
  for (const endpoint of fleet.endpoints.values()) endpoint.open.delete(process);
  forgetUnshared(fleet, process, clock.monotonic());
}

/** To be called when a process is frozen. Its claims stay valid until their leases end. */
export function observeFreeze({ clock, fleet }: Ledger, process: number): void {
  if (fleet !== undefined) forgetUnshared(fleet, process, clock.monotonic());
}

/** To be called when a process goes on after a freeze: it has to learn what the others know, and sends what it had begun. */
export function observeThaw({ clock, fleet }: Ledger): void {
  if (fleet !== undefined) fleet.steadySince = Math.max(fleet.steadySince, clock.monotonic());
}

export function observeStoreHealth({ clock, fleet }: Ledger, isFailing: boolean): void {
  if (fleet !== undefined) fleet.steadySince = isFailing ? Infinity : clock.monotonic();
}

/** Forgets facts that only this process has learnt: the others cannot learn them from it any more. */
function forgetUnshared({ lanes, endpoints }: KnownFleet, process: number, now: number): void {
  for (const lane of lanes.values()) lane.heldSince.delete(process);
  for (const endpoint of endpoints.values()) {
    const { hold } = endpoint;
    if (hold?.heardBy === process && now < hold.heardAt + LEARN_MS) endpoint.hold = undefined;
  }
}
