// Which events of a relay an operator is notified of, and how they are counted (decision: notifications). What lasts, such as a
// lane that is held, is no event: watch-troubles.ts looks for it.

import type { DestinationId, NotificationKind } from "@postrider/core";
import type { EmitEvent, EventFacts } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** Something to tell of one kind. */
export interface ToldTrouble {
  readonly kind: NotificationKind;
  /** Absent if it is not about one destination. */
  readonly destination?: DestinationId;
  readonly count: number;
  readonly detail?: string;
}

export interface NoteContext {
  readonly book: { readonly note: (trouble: ToldTrouble) => void };
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly lanes: Pick<Lanes, "died">;
}

/** Returns a function that passes on what events have to tell, while the settings have a hook, and counts deaths by lane. */
export function createNoteEvent({ book, settings, lanes }: NoteContext): EmitEvent {
  return (event): void => {
    const trouble = troubleOf(event);
    if (trouble === undefined) return;
    if (trouble.kind === "deaths" && trouble.destination !== undefined) lanes.died(trouble.destination, trouble.count);
    const { notify = [] } = settings.workspace();
    if (notify.length > 0) book.note(trouble);
  };
}

/** What an event has to tell; undefined for nearly all events. */
export function troubleOf(event: EventFacts): ToldTrouble | undefined {
  switch (event.kind) {
    case "died":
      // A purge is what a request about users asks for.
      return event.reason === "purged"
        ? undefined
        : { kind: "deaths", destination: event.destination, count: 1, detail: event.reason };
    case "ended":
      return { kind: "deaths", destination: event.destination, count: event.deliveries, detail: event.reason };
    case "shed":
      return { kind: "shedding", count: event.calls, detail: event.source };
    case "outbox-waits":
      return { kind: "outbox", count: event.calls, detail: event.source };
    case "store-fault":
      return event.code === "busy" ? undefined : { kind: "store", count: 1, detail: event.code };
    case "store-ended":
    case "store-stalled":
      return { kind: "store", count: 1, detail: event.kind === "store-ended" ? "ended" : "stalled" };
    case "accepted":
    case "duplicate":
    case "suppressed":
    case "outdated":
    case "refused":
    case "slip":
    case "attempted":
    case "delivered":
    case "rescheduled":
    case "released":
    case "replayed":
    case "stale":
    case "schedule-fault":
    case "local-fault":
    case "orphaned":
    case "lane-held":
    case "lane-blocked":
    case "lane-open":
    case "lane-paused":
    case "lane-resumed":
    case "pulled-in":
    case "deletion-requested":
    case "purged":
    case "deletion-finished":
    case "synced":
    case "replay-job-done":
    case "swept":
    case "store-answers":
    case "notification-sent":
    case "notification-failed":
    case "configured":
      return undefined;
  }
}
