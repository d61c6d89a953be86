// Looks for what lasts: lanes that fail, are held, or whose deliveries are about to expire, and requests about users that are
// late. Core decides what counts as such; the book decides when it is told.

import { type Clock, type DestinationId, type MonoMs, plusMs } from "@postrider/core";
import { defined, type LaneTrouble, laneTroubles, NOTIFY_LATE_DELETION_MS } from "@postrider/core/engine";
import { LATE_DELETIONS_AT_ONCE, LATE_DELETIONS_EVERY_MS } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { LastingTrouble, LastingTroubles, NotifyBook } from "./notify-book.js";

interface LaneWatchContext {
  readonly clock: Pick<Clock, "wall">;
  readonly lanes: Pick<Lanes, "known">;
  readonly settings: Pick<SettingsInForce, "workspace" | "destination">;
}

interface DeletionWatchContext {
  readonly clock: Pick<Clock, "wall">;
  readonly storage: Pick<Storage, "askDeletions">;
}

export interface WatchContext extends LaneWatchContext, DeletionWatchContext {
  readonly clock: Pick<Clock, "wall" | "monotonic">;
}

/** The part of the book that a look writes. */
type WatchBook = Pick<NotifyBook, "note" | "noteLasting">;

/**
 * Returns a function that looks once, and counts in the book what it finds. It does not wait for the store, which may hang: what
 * that answers is counted when it comes.
 */
export function createWatch(context: WatchContext, book: WatchBook): () => void {
  const { clock } = context;
  let askAt: MonoMs | undefined;
  let isAsking = false;

  return (): void => {
    watchLanes(context, book);
    if (isAsking || (askAt !== undefined && clock.monotonic() < askAt)) return;
    askAt = plusMs(clock.monotonic(), LATE_DELETIONS_EVERY_MS);
    isAsking = true;
    void watchDeletions(context, book).finally(() => {
      isAsking = false;
    });
  };
}

function watchLanes({ clock, lanes, settings }: LaneWatchContext, book: WatchBook): void {
  const found: Readonly<Record<LaneTrouble, Map<DestinationId, LastingTrouble>>> = {
    "lane-failing": new Map(),
    "lane-held": new Map(),
    "window-at-risk": new Map(),
  };
  const now = clock.wall();
  const { delivery } = settings.workspace();
  for (const [id, lane] of lanes.known()) {
    if (settings.destination(id) === undefined) continue;
    for (const trouble of laneTroubles(lane, delivery, now)) {
      const detail = trouble === "window-at-risk" ? undefined : lane.lastFailure?.detail;
      found[trouble].set(id, { count: 1, ...defined({ detail }) });
    }
  }
  book.noteLasting("lane-failing", found["lane-failing"]);
  book.noteLasting("window-at-risk", found["window-at-risk"]);
  for (const place of book.noteLasting("lane-held", found["lane-held"])) {
    if (place !== null) book.note({ kind: "lane-open", destination: place, count: 1 });
  }
}

/** If the store cannot tell, what it told before still holds. */
async function watchDeletions(
  { clock, storage: { askDeletions } }: DeletionWatchContext,
  book: Pick<NotifyBook, "noteLasting">,
): Promise<void> {
  if (askDeletions === undefined) return;
  const page = await askDeletions((store) => store.list({ unfinished: true, limit: LATE_DELETIONS_AT_ONCE }));
  if (page.isErr()) return;
  const late = page.value.deletions.filter(({ requestedAt }) => clock.wall() - requestedAt > NOTIFY_LATE_DELETION_MS);
  const lasting: LastingTroubles = late.length === 0 ? new Map() : new Map([[null, { count: late.length }]]);
  book.noteLasting("deletion-late", lasting);
}
