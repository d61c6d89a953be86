// Lists deliveries, newest first, in pages. A cursor holds the number of the last delivery that was shown. Numbers are never
// reused, and a sweep does not change them.

import type { DeliveryPage, ListQuery } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { summarise } from "./reads.js";

export function list(contents: Contents, query: ListQuery): DeliveryPage {
  const page: StoredDelivery[] = [];
  for (const delivery of contents.history.before(startOf(query.after, contents.sequence))) {
    if (!matches(delivery, query)) continue;
    if (page.length === query.limit) return { deliveries: page.map(summarise), ...cursorOf(page) };
    page.push(delivery);
  }
  return { deliveries: page.map(summarise) };
}

function cursorOf(page: readonly StoredDelivery[]): { readonly next?: string } {
  const last = page.at(-1);
  return last === undefined ? {} : { next: `before-${String(last.sequence)}` };
}

const CURSOR = /^before-([1-9]\d{0,14})$/;

/**
 * The number below which deliveries are shown. It is 0, so that no delivery is shown, for a cursor that this store did
 * not make.
 */
function startOf(after: string | undefined, newestSequence: number): number {
  if (after === undefined) return newestSequence + 1;
  const sequence = Number(CURSOR.exec(after)?.[1] ?? 0);
  return sequence <= newestSequence ? sequence : 0;
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

function isAmong<T>(filter: readonly T[] | undefined, value: T | undefined): boolean {
  return filter === undefined || (value !== undefined && filter.includes(value));
}

function fitsFilter<T>(filter: T | undefined, value: T | undefined): boolean {
  return filter === undefined || filter === value;
}
