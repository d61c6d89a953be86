// Looks for what lasts: lanes that fail, are held, or whose deliveries are about to expire, and requests about users that are
// late. Core decides what counts as such; the book decides when it is told.

import type { DestinationId, MonoMs } from "@postrider/core";
import { type Clock, plusMs } from "@postrider/core";
import { laneTroubles, NOTIFY_LATE_DELETION_MS } from "@postrider/core/engine";
import { LATE_DELETIONS_AT_ONCE, LATE_DELETIONS_EVERY_MS } from "../limits.js";
import type { Lanes } from "../state/lanes.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { Storage } from "../storage/storage.js";
import type { LastingTroubles, NotifyBook } from "./notify-book.js";

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

/** Returns a function that looks once, and counts in the book what it finds. */
export function createWatch(
  context: WatchContext,
  book: Pick<NotifyBook, "note" | "noteLasting">,
): () => Promise<void> {
  const { clock } = context;
  let deletionsAt: MonoMs | undefined;

  return async () => {
    watchLanes(context, book);
    if (deletionsAt !== undefined && clock.monotonic() < deletionsAt) return;
    deletionsAt = plusMs(clock.monotonic(), LATE_DELETIONS_EVERY_MS);
    await watchDeletions(context, book);
  };
}

function watchLanes(
  { clock, lanes, settings }: LaneWatchContext,
  book: Pick<NotifyBook, "note" | "noteLasting">,
): void {
  const found = {
    "lane-failing": new Map<DestinationId, { count: number; detail?: string }>(),
    "lane-held": new Map<DestinationId, { count: number; detail?: string }>(),
    "window-at-risk": new Map<DestinationId, { count: number; detail?: string }>(),
  };
  const now = clock.wall();
  const { delivery } = settings.workspace();
  for (const [id, lane] of lanes.known()) {
    if (settings.destination(id) === undefined) continue;
    for (const trouble of laneTroubles(lane, delivery, now)) {
      const detail = trouble === "lane-held" ? lane.heldBy : undefined;
      found[trouble].set(id, { count: 1, ...(detail === undefined ? {} : { detail }) });
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
