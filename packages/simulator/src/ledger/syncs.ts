// Records what the host of an audience asks for and is answered, and checks that an answered sync is whole: each destination
// that was on has got the members that the host gave, and no other.

import type { DestinationId } from "@postrider/core";
import type { SimulatedAudience } from "../simulation.js";
import type { KnownAudience, KnownMembers } from "./known.js";
import { addHistoryLine, type Ledger, reportBroken } from "./ledger.js";

export function addKnownAudience(
  ledger: Ledger,
  key: string,
  { kind, destinations }: SimulatedAudience,
): KnownAudience {
  const audience: KnownAudience = {
    key,
    kind,
    membersByDestination: new Map(destinations.map((id) => [id as DestinationId, new Map<string, string>()])),
    pending: undefined,
    latest: new Map(),
    barredUsers: new Set(),
    touchedUsers: new Set(),
    hiddenUsers: new Set(),
    offDuringSync: new Set(),
    changes: 0,
    syncs: 0,
  };
  ledger.users.audiences.set(key, audience);
  return audience;
}

/** Records that the host begins to ask for a sync with these members. */
export function observeSyncBegin(ledger: Ledger, audience: KnownAudience, members: KnownMembers): void {
  addHistoryLine(ledger, `${audience.key} is to have ${String(members.size)} members`);
  audience.pending = members;
  audience.latest = members;
  audience.touchedUsers.clear();
  audience.offDuringSync.clear();
  for (const id of ledger.users.offDestinations) audience.offDuringSync.add(id);
}

/** Records that a relay begins to read the members: changes of users who were deleted before may follow again. */
export function observeUpload(audience: KnownAudience): void {
  for (const user of audience.latest.keys()) audience.barredUsers.delete(user);
}

/** Records that the sync was answered, and checks the changes delivered by then. */
export function observeSyncEnd(ledger: Ledger, audience: KnownAudience): void {
  const { pending, membersByDestination, offDuringSync, key } = audience;
  if (pending === undefined) return;
  addHistoryLine(ledger, `${key} is synced`);
  audience.pending = undefined;
  audience.syncs += 1;
  for (const [id, members] of membersByDestination) {
    const users = offDuringSync.has(id) ? [] : differingUsers(pending, members);
    for (const user of users.filter((differingUser) => isCertain(audience, differingUser))) {
      const [expected, reported] = [pending.get(user) ?? "no member", members.get(user) ?? "of no member"];
      reportBroken(ledger, "syncs-are-whole", `${user} of ${key} is ${expected}, and ${id} was told ${reported}`);
    }
  }
  if (offDuringSync.size === 0) forgetHidden(ledger, audience, pending);
}

/** The users who are members of one of both, or have different values. */
function differingUsers(first: KnownMembers, second: KnownMembers): readonly string[] {
  return [...new Set([...first.keys(), ...second.keys()])].filter((user) => first.get(user) !== second.get(user));
}

/** True if it is certain which changes of a user must have been delivered by now. */
function isCertain({ touchedUsers, hiddenUsers }: KnownAudience, user: string): boolean {
  return !touchedUsers.has(user) && !hiddenUsers.has(user);
}

/** Destinations forget a user who is no longer suppressed, and who was in no whole sync since. */
function forgetHidden({ users }: Ledger, audience: KnownAudience, members: KnownMembers): void {
  for (const user of audience.hiddenUsers) {
    if (users.suppressed.has(user) || members.has(user) || audience.touchedUsers.has(user)) continue;
    audience.hiddenUsers.delete(user);
    for (const membersTold of audience.membersByDestination.values()) membersTold.delete(user);
  }
}

/** Records which destinations are off now. */
export function observeOff({ users }: Ledger, off: ReadonlySet<string>): void {
  users.offDestinations = off;
  for (const { offDuringSync } of users.audiences.values()) for (const id of off) offDuringSync.add(id);
}
