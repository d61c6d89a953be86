// What the log tells at level debug: each step of each call and delivery that is not logged otherwise, with ids and codes only.
// A line for each of them is written, however many there are.

import { formatTimestamp } from "@postrider/core/engine";
import type { LogEntry, RelayEvent } from "@postrider/relay";

/** The entry of an event; undefined if the relay logs it itself. */
export function debugEntry(event: RelayEvent): LogEntry | undefined {
  switch (event.kind) {
    case "accepted":
      return { code: event.kind, source: event.source, count: event.deliveries.length };
    case "duplicate":
    case "suppressed":
    case "outdated":
      return { code: event.kind, source: event.source };
    case "delivered":
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail: event.detail };
    case "rescheduled": {
      const detail = `${event.detail}, due ${formatTimestamp(event.dueAt)}`;
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail };
    }
    case "released": {
      const detail = `due ${formatTimestamp(event.dueAt)}`;
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail };
    }
    case "replayed":
      return { code: event.kind, delivery: event.delivery, destination: event.destination, detail: `of ${event.of}` };
    case "refused":
    case "slip":
    case "shed":
    case "attempted":
    case "died":
    case "stale":
    case "schedule-fault":
    case "local-fault":
    case "orphaned":
    case "outbox-waits":
    case "lane-held":
    case "lane-open":
    case "lane-blocked":
    case "lane-paused":
    case "lane-resumed":
    case "ended":
    case "pulled-in":
    case "deletion-requested":
    case "purged":
    case "deletion-finished":
    case "synced":
    case "replay-job-done":
    case "swept":
    case "store-fault":
    case "store-ended":
    case "store-stalled":
    case "store-answers":
    case "notification-sent":
    case "notification-failed":
    case "configured":
    case "committed":
    case "claimed":
    case "answered":
      return undefined;
  }
}
