// Lists deliveries, newest first, in pages. A cursor holds the number of the last delivery shown. Numbers are never
// reused, and a sweep does not change them.

import type { DeliveryPage, ListQuery } from "@postrider/core";
import type { Contents, StoredDelivery } from "./contents.js";
import { summarise } from "./summary.js";

export function list(contents: Contents, query: ListQuery): DeliveryPage {
  const found: StoredDelivery[] = [];
  for (const delivery of contents.history.before(startOf(query.after, contents.sequence))) {
    if (!matches(delivery, query)) continue;
    if (found.length === query.limit) return { deliveries: found.map(summarise), ...cursorOf(found) };
    found.push(delivery);
  }
  return { deliveries: found.map(summarise) };
}

function cursorOf(found: readonly StoredDelivery[]): { readonly next?: string } {
  const last = found.at(-1);
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
  const { message, acceptedAt } = delivery;
  if (query.notReplayed === true && delivery.wasReplayed) return false;
  if (query.acceptedSince !== undefined && acceptedAt < query.acceptedSince) return false;
  if (query.acceptedBefore !== undefined && acceptedAt >= query.acceptedBefore) return false;
  return (
    fitsFilter(query.state, delivery.state) &&
    fitsFilter(query.reason, delivery.reason) &&
    fitsFilter(query.source, message.source) &&
    fitsFilter(query.destination, delivery.destination) &&
    fitsFilter(query.type, message.type) &&
    fitsFilter(query.messageId, message.messageId)
  );
}

function fitsFilter<T>(asked: T | undefined, stored: T | undefined): boolean {
  return asked === undefined || asked === stored;
}
