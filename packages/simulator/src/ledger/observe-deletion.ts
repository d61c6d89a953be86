// Records the requests about users as they take effect, and the deliveries that they put out of reach. The store does not say
// which deliveries it ends for a request, so each is looked up.

import { type DeletionId, type DeliveryStore, effectsOf, type NewDeletion } from "@postrider/core";
import type { KnownAudience } from "./known.js";
import { addHistoryLine, type KnownDelivery, type Ledger, nameOf, reportBroken } from "./ledger.js";
import { isFinished, moveDelivery } from "./move.js";

/** Records that a request has taken effect. */
export function observeOpen(ledger: Ledger, { id, regulation, userIds }: NewDeletion): void {
  const effects = effectsOf(regulation);
  const { suppression, purges } = effects;
  const { users } = ledger;
  addHistoryLine(ledger, `${regulation} ${userIds.join(" ")}`);
  users.unfinished.add(id);
  for (const user of userIds) {
    if (suppression === "begins") users.suppressed.add(user);
    if (suppression === "ends") users.suppressed.delete(user);
    for (const audience of users.audiences.values()) noteRequest(audience, user, effects);
  }
  if (purges) cover(ledger, new Set(userIds));
}

function noteRequest(
  { pending, touchedUsers, hiddenUsers, barredUsers, membersByDestination }: KnownAudience,
  user: string,
  { suppression, purges }: ReturnType<typeof effectsOf>,
): void {
  if (pending !== undefined) touchedUsers.add(user);
  if (suppression === "begins") hiddenUsers.add(user);
  if (!purges) return;
  barredUsers.add(user);
  for (const members of membersByDestination.values()) members.delete(user);
}

function cover({ deliveries, covered }: Ledger, users: ReadonlySet<string>): void {
  for (const delivery of deliveries.values()) {
    if (delivery.user !== undefined && users.has(delivery.user)) covered.add(delivery);
  }
}

export function observeFinish({ users }: Ledger, id: DeletionId): void {
  users.unfinished.delete(id);
}

/** Records what has become of the deliveries that requests have put out of reach. */
export async function observePurged(ledger: Ledger, store: DeliveryStore): Promise<void> {
  for (const delivery of ledger.covered) {
    if (delivery.reason === "purged") continue;
    const record = await store.find(delivery.id);
    if (record?.reason === "purged") recordPurged(ledger, delivery);
  }
}

/** Records that a delivery is dead since a request has put it out of reach, and checks that one has. */
export function recordPurged(ledger: Ledger, delivery: KnownDelivery): void {
  if (!ledger.covered.has(delivery)) {
    reportBroken(ledger, "deleted-stay-away", `${nameOf(delivery)} was purged, and no request is about its user`);
    return;
  }
  if (delivery.reason === "purged") return;
  addHistoryLine(ledger, `purged ${nameOf(delivery)}`);
  delivery.reason = "purged";
  if (isFinished(delivery)) return;
  moveDelivery(ledger, delivery, "dead");
  delivery.token = undefined;
  delivery.finishedAt = ledger.clock.monotonic();
}
