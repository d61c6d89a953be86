// Lists deliveries, newest first, in pages. A cursor holds the number of the last delivery shown. Numbers are never reused
// and do not change by a sweep.

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

/** Only deliveries with a lower number are shown. 0, so none, for a cursor that this store did not make. */
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
    isAsked(query.state, delivery.state) &&
    isAsked(query.reason, delivery.reason) &&
    isAsked(query.source, message.source) &&
    isAsked(query.destination, delivery.destination) &&
    isAsked(query.type, message.type) &&
    isAsked(query.messageId, message.messageId)
  );
}

function isAsked<T>(asked: T | undefined, stored: T | undefined): boolean {
  return asked === undefined || asked === stored;
}
