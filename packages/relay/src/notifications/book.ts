// Decides which events an operator is notified of; counts troubles until a notification is made of them, and lasting troubles until
// they end (decision: notifications). Core decides when a notification is made. Sends nothing.

import type { Clock, DestinationId, MonoMs, NotificationKind } from "@postrider/core";
import {
  addOccurrence,
  afterTelling,
  isSpent,
  isToRemind,
  isToTell,
  type NotifiedPlace,
  type Untold,
} from "@postrider/core/engine";
import { MAX_NOTIFY_PLACES } from "../limits.js";
import type { CountedTrouble, NotifyMemory } from "../relay-state.js";
import type { EmitEvent, EventFacts } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** A destination, or null for a trouble that is not about one. */
type Place = DestinationId | null;

/** A trouble that lasts at one place, with a code that says more. */
export type LastingTrouble = Pick<Trouble, "count" | "detail">;

export type LastingTroubles = ReadonlyMap<Place, LastingTrouble>;

/** The troubles of one kind that are to be sent. */
export interface DueTrouble {
  readonly kind: NotificationKind;
  /** At least one. */
  readonly places: readonly NotifiedPlace[];
}

export interface NotifyBook {
  readonly note: (trouble: Trouble) => void;
  /**
   * Takes the lasting troubles of one kind: counts new ones, and once more those that were counted long ago. Returns the places
   * where they have ended since the last call.
   */
  readonly noteLasting: (kind: NotificationKind, troubles: LastingTroubles) => readonly Place[];
  /** Takes the troubles that are due, which count as told from then on. */
  takeDue(): readonly DueTrouble[];
  remember(): Pick<NotifyMemory, "untold" | "lasting">;
}

type ByPlace<Value> = Map<NotificationKind, Map<Place, Value>>;

export function createNotifyBook(
  clock: Pick<Clock, "wall" | "monotonic">,
  memory?: Pick<NotifyMemory, "untold" | "lasting">,
): NotifyBook {
  const untold = restore<Untold>(memory?.untold);
  const lasting = restore<MonoMs>(memory?.lasting);

  function note({ kind, destination, count, detail }: Trouble): void {
    const byPlace = placesOf(untold, kind);
    const exactPlace = destination ?? null;
    // Places beyond the limit are counted together.
    const place = byPlace.has(exactPlace) || byPlace.size < MAX_NOTIFY_PLACES ? exactPlace : null;
    byPlace.set(place, addOccurrence(byPlace.get(place), { count, at: clock.wall(), detail }));
  }

  return {
    note,
    noteLasting: (kind, troubles) => {
      const notedTimes = placesOf(lasting, kind);
      const nowMs = clock.monotonic();
      for (const [place, trouble] of troubles) {
        const notedAt = notedTimes.get(place);
        if (notedAt !== undefined && !isToRemind(notedAt, nowMs)) continue;
        notedTimes.set(place, nowMs);
        note({ kind, ...trouble, ...(place === null ? {} : { destination: place }) });
      }
      const ended = [...notedTimes.keys()].filter((place) => !troubles.has(place));
      for (const place of ended) notedTimes.delete(place);
      return ended;
    },
    takeDue: () => {
      const nowMs = clock.monotonic();
      return [...untold].flatMap(([kind, byPlace]) => {
        const places = takeFrom(byPlace, nowMs);
        return places.length === 0 ? [] : [{ kind, places }];
      });
    },
    remember: () => ({ untold: listOf(untold), lasting: listOf(lasting) }),
  };
}

function takeFrom(byPlace: Map<Place, Untold>, now: MonoMs): readonly NotifiedPlace[] {
  const places: NotifiedPlace[] = [];
  for (const [place, trouble] of byPlace) {
    if (isSpent(trouble, now)) byPlace.delete(place);
    if (!isToTell(trouble, now)) continue;
    byPlace.set(place, afterTelling(trouble, now));
    const { count, since, details } = trouble;
    places.push({ ...(place === null ? {} : { destination: place }), count, since, details });
  }
  return places;
}

function placesOf<Value>(all: ByPlace<Value>, kind: NotificationKind): Map<Place, Value> {
  const existing = all.get(kind);
  if (existing !== undefined) return existing;
  const places = new Map<Place, Value>();
  all.set(kind, places);
  return places;
}

function restore<Value>(troubles: readonly CountedTrouble<Value>[] = []): ByPlace<Value> {
  const all: ByPlace<Value> = new Map();
  for (const [kind, place, value] of troubles) placesOf(all, kind).set(place, value);
  return all;
}

function listOf<Value>(all: ByPlace<Value>): readonly CountedTrouble<Value>[] {
  return [...all].flatMap(([kind, places]) =>
    [...places].map(([place, value]): CountedTrouble<Value> => [kind, place, value]),
  );
}

/** A trouble of one kind, at one destination or at none. */
interface Trouble {
  readonly kind: NotificationKind;
  /** Absent if it is not about one destination. */
  readonly destination?: DestinationId;
  readonly count: number;
  readonly detail?: string;
}

interface NoteContext {
  readonly book: { readonly note: (trouble: Trouble) => void };
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly lanes: Pick<Lanes, "died">;
}

/** Returns a function that passes on the troubles of events, while the settings have a hook, and counts deaths by lane. */
export function createNoteEvent({ book, settings, lanes }: NoteContext): EmitEvent {
  return (event): void => {
    const trouble = troubleOf(event);
    if (trouble === undefined) return;
    if (trouble.kind === "deaths" && trouble.destination !== undefined) lanes.died(trouble.destination, trouble.count);
    const { notify = [] } = settings.workspace();
    if (notify.length > 0) book.note(trouble);
  };
}

/** The trouble that an event reports; undefined for nearly all events. */
function troubleOf(event: EventFacts): Trouble | undefined {
  switch (event.kind) {
    case "died":
      // A request about users asks for the purge.
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
