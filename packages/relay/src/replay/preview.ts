// Counts what a replay by a filter would do, without doing it. Knows the deliveries that can be replayed by what a list shows.

import type { DeliverySummary, EpochMs, ReplayFilter } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { LongWork } from "../audience/long-work.js";
import { MAX_PREVIEW_PAGES, MAX_PREVIEWED, PREVIEW_EXAMPLES, PREVIEWED_AT_ONCE } from "../limits.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import type { ReplayPreview } from "./replay-jobs.js";

export interface PreviewTask {
  readonly storage: Pick<Storage, "ask">;
  readonly settings: Pick<SettingsInForce, "destination">;
  readonly work: LongWork;
}

/** Why a delivery that meets a filter cannot be replayed; undefined if it can, as far as a list shows. */
export function outOfReach(
  settings: Pick<SettingsInForce, "destination">,
  { reason, destination }: DeliverySummary,
): "purged" | "destination-removed" | undefined {
  if (reason === "purged") return "purged";
  return settings.destination(destination) === undefined ? "destination-removed" : undefined;
}

/** Counts `MAX_PREVIEWED` deliveries on `MAX_PREVIEW_PAGES` pages at most. */
export async function preview(
  task: PreviewTask,
  filter: ReplayFilter,
): Promise<Result<ReplayPreview, StoreFault | { readonly code: "stopped" }>> {
  const counting = createCounting();
  let after: string | undefined;
  for (let pages = 0, seen = 0; pages < MAX_PREVIEW_PAGES && seen < MAX_PREVIEWED; pages += 1) {
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    const limit = Math.min(PREVIEWED_AT_ONCE, MAX_PREVIEWED - seen);
    const query = { ...filter, notReplayed: true, limit, ...defined({ after }) };
    const page = await task.storage.ask((store) => store.list(query));
    if (page.isErr()) return err(page.error);
    for (const delivery of page.value.deliveries) counting.add(delivery, outOfReach(task.settings, delivery));
    seen += page.value.deliveries.length;
    after = page.value.next;
    if (after === undefined) return ok(counting.preview(true));
    await task.work.yieldIfLong();
  }
  return ok(counting.preview(false));
}

interface Counting {
  add(delivery: DeliverySummary, why: keyof ReplayPreview["outOfReach"] | undefined): void;
  preview(isWhole: boolean): ReplayPreview;
}

function createCounting(): Counting {
  const byDestination = new Map<DeliverySummary["destination"], number>();
  const byReason = new Map<NonNullable<DeliverySummary["reason"]> | "delivered", number>();
  const outOfReach = { purged: 0, "destination-removed": 0 };
  const examples: DeliverySummary[] = [];
  let deliveries = 0;
  let oldest: EpochMs | undefined;
  let newest: EpochMs | undefined;

  return {
    add: (delivery, why) => {
      if (why !== undefined) {
        outOfReach[why] += 1;
        return;
      }
      const { destination, reason = "delivered", acceptedAt } = delivery;
      deliveries += 1;
      addOne(byDestination, destination);
      addOne(byReason, reason);
      if (oldest === undefined || acceptedAt < oldest) oldest = acceptedAt;
      if (newest === undefined || acceptedAt > newest) newest = acceptedAt;
      if (examples.length < PREVIEW_EXAMPLES) examples.push(delivery);
    },
    preview: (isWhole) => ({
      deliveries,
      ...defined({ oldest, newest }),
      byDestination,
      byReason,
      outOfReach,
      examples,
      isWhole,
    }),
  };
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
