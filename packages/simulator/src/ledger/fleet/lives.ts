// Records which processes run, and when the store ails. What a process has learnt a moment before it dies or stands still may be
// lost to the others.

import type { Ledger } from "../ledger.js";
import type { KnownFleet } from "./known-fleet.js";
import { LEARN_MS } from "./tolerances.js";

export function observeStart({ fleet }: Ledger, process: number): void {
  fleet?.running.add(process);
}

export function observeDeath({ clock, fleet }: Ledger, process: number): void {
  if (fleet === undefined) return;
  fleet.running.delete(process);
  for (const endpoint of fleet.endpoints.values()) endpoint.open.delete(process);
  forgetUntold(fleet, process, clock.monotonic());
}

/** To be called when a process is frozen. Its claims stay valid until their leases end. */
export function observeFreeze({ clock, fleet }: Ledger, process: number): void {
  if (fleet !== undefined) forgetUntold(fleet, process, clock.monotonic());
}

/** To be called when a process goes on after a freeze: it has to learn what the others know, and sends what it had begun. */
export function observeThaw({ clock, fleet }: Ledger): void {
  if (fleet !== undefined) fleet.unsteadyUntil = Math.max(fleet.unsteadyUntil, clock.monotonic());
}

export function observeStoreHealth({ clock, fleet }: Ledger, isAiling: boolean): void {
  if (fleet !== undefined) fleet.unsteadyUntil = isAiling ? Infinity : clock.monotonic();
}

function forgetUntold({ lanes, endpoints }: KnownFleet, process: number, now: number): void {
  for (const lane of lanes.values()) lane.heldSince.delete(process);
  for (const endpoint of endpoints.values()) {
    const { hold } = endpoint;
    if (hold?.heardBy === process && now < hold.heardAt + LEARN_MS) endpoint.hold = undefined;
  }
}
