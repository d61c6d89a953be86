// Lists deliveries, newest first, in pages. A cursor holds the number of the last delivery shown. Numbers are never
// reused, and a sweep does not change them.

import type { DeliveryPage, ListQuery } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { summarise } from "./reads.js";

export function list(contents: Contents, query: ListQuery): DeliveryPage {
  const matching: StoredDelivery[] = [];
  for (const delivery of contents.history.before(startOf(query.after, contents.sequence))) {
    if (!matches(delivery, query)) continue;
    if (matching.length === query.limit) return { deliveries: matching.map(summarise), ...cursorOf(matching) };
    matching.push(delivery);
  }
  return { deliveries: matching.map(summarise) };
}

function cursorOf(matching: readonly StoredDelivery[]): { readonly next?: string } {
  const last = matching.at(-1);
  return last === undefined ? {} : { next: `before-${String(last.sequence)}` };
}

const CURSOR = /^before-([1-9]\d{0,14})$/;

/**
 * The number below which deliveries are shown. It is 0, so that no delivery is shown, for a cursor that this store did
 * not make.
 */
function startOf(after: string | undefined, newest: number): number {
  if (after === undefined) return newest + 1;
  const sequence = Number(CURSOR.exec(after)?.[1] ?? 0);
  return sequence <= newest ? sequence : 0;
}

function matches(delivery: StoredDelivery, query: ListQuery): boolean {
  return isInState(delivery, query) && isOfMessage(delivery, query) && isAcceptedWithin(delivery, query);
}

function isInState(delivery: StoredDelivery, { states, details, reason, notReplayed }: ListQuery): boolean {
  if (notReplayed === true && delivery.wasReplayed) return false;
  return isAmong(states, delivery.state) && isAmong(details, delivery.detail) && fitsFilter(reason, delivery.reason);
}

function isOfMessage({ message, destination }: StoredDelivery, query: ListQuery): boolean {
  return (
    fitsFilter(query.source, message.source) &&
    fitsFilter(query.destination, destination) &&
    fitsFilter(query.type, message.type) &&
    fitsFilter(query.messageId, message.messageId) &&
    (query.userId === undefined || message.userIds.includes(query.userId))
  );
}

function isAcceptedWithin({ acceptedAt }: StoredDelivery, query: ListQuery): boolean {
  const { acceptedSince = -Infinity, acceptedBefore = Infinity } = query;
  return acceptedSince <= acceptedAt && acceptedAt < acceptedBefore;
}

function isAmong<T>(asked: readonly T[] | undefined, stored: T | undefined): boolean {
  return asked === undefined || (stored !== undefined && asked.includes(stored));
}

function fitsFilter<T>(asked: T | undefined, stored: T | undefined): boolean {
  return asked === undefined || asked === stored;
}
