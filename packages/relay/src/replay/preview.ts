// Finds the deliveries that a replay by a filter takes, by listing them: counts them without replaying any, and gives a job its
// next page, or a page that was begun. Changes nothing.

import type {
  DeliveryRecord,
  DeliverySummary,
  EpochMs,
  ReplayFilter,
  DeliveryPage,
  DestinationId,
  ReplayJob,
  ReplayJobStep,
} from "@postrider/core";
import { defined, type LaneBounds } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { LongWork } from "../loop.js";
import {
  MAX_PREVIEW_PAGES,
  MAX_PREVIEWED,
  PREVIEW_EXAMPLES,
  PREVIEWED_AT_ONCE,
  DELIVERIES_PER_SLICE,
  REPLAY_LANE_DELIVERIES,
} from "../limits.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import type { ReplayPreview } from "../requests.js";
import type { Lanes } from "../lanes/lanes.js";

interface PreviewTask {
  readonly storage: Pick<Storage, "ask">;
  readonly settings: Pick<SettingsInForce, "destination">;
  readonly work: LongWork;
}

/** Counts `MAX_PREVIEWED` deliveries on `MAX_PREVIEW_PAGES` pages at most. */
export async function preview(
  task: PreviewTask,
  filter: ReplayFilter,
): Promise<Result<ReplayPreview, StoreFault | { readonly code: "stopped" }>> {
  const counting = createCounting();
  let after: string | undefined;
  for (let pages = 0, listedCount = 0; pages < MAX_PREVIEW_PAGES && listedCount < MAX_PREVIEWED; pages += 1) {
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    const limit = Math.min(PREVIEWED_AT_ONCE, MAX_PREVIEWED - listedCount);
    const query = { ...filter, notReplayed: true, limit, ...defined({ after }) };
    const page = await task.storage.ask((store) => store.list(query));
    if (page.isErr()) return err(page.error);
    for (const delivery of page.value.deliveries) counting.add(delivery, outOfReach(task.settings, delivery));
    listedCount += page.value.deliveries.length;
    after = page.value.next;
    if (after === undefined) return ok(counting.preview(true));
    await task.work.yieldIfLong();
  }
  return ok(counting.preview(false));
}

/** The reason for which a delivery that meets a filter cannot be replayed; undefined if it can, as far as a list shows. */
function outOfReach(
  settings: Pick<SettingsInForce, "destination">,
  { reason, destination }: DeliverySummary,
): "purged" | "destination-removed" | undefined {
  if (reason === "purged") return "purged";
  return settings.destination(destination) === undefined ? "destination-removed" : undefined;
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

export interface JobPages {
  /** The page after the deliveries that the record has counted; `full` if a lane has no room for it. */
  nextPage(job: ReplayJob): Promise<Result<NextPage | "full", StoreFault>>;
  /** The deliveries of the step in the record that still have a body: each was replayed, or can be. */
  stepDeliveries(job: ReplayJob): Promise<Result<readonly DeliverySummary[], StoreFault>>;
}

interface NextPage {
  readonly step: ReplayJobStep;
  /** The deliveries of the step. */
  readonly deliveries: readonly DeliverySummary[];
}

export interface JobPagesContext {
  readonly storage: Pick<Storage, "ask">;
  readonly settings: Pick<SettingsInForce, "destination">;
  readonly lanes: Pick<Lanes, "lane">;
  readonly laneBounds: LaneBounds;
}

export function createJobPages({ storage, settings, lanes, laneBounds }: JobPagesContext): JobPages {
  /** A job takes at most half of the capacity of a lane, so that calls find room. */
  const maxDeliveries = Math.min(REPLAY_LANE_DELIVERIES, laneBounds.maxDeliveries / 2);

  async function list({ filter, after }: ReplayJob, limit: number): Promise<Result<DeliveryPage, StoreFault>> {
    return storage.ask((store) => store.list({ ...filter, notReplayed: true, limit, ...defined({ after }) }));
  }

  function hasRoom(id: DestinationId, added: number): boolean {
    const { deliveries, bytes } = lanes.lane(id);
    // A lane that is empty takes one page, however small the bound.
    return deliveries === 0 || (deliveries + added <= maxDeliveries && bytes <= laneBounds.maxBytes / 2);
  }

  return {
    nextPage: async (job) => {
      const page = await list(job, DELIVERIES_PER_SLICE);
      return page.map(({ deliveries: all, next }) => {
        const deliveries = all.filter((delivery) => outOfReach(settings, delivery) === undefined);
        if (![...perLane(deliveries)].every(([lane, added]) => hasRoom(lane, added))) return "full";
        const ids = deliveries.map(({ id }) => id);
        const step = { deliveries: ids, skipped: all.length - ids.length, ...defined({ next }) };
        return { step, deliveries };
      });
    },
    stepDeliveries: async ({ step }) => {
      const found: DeliverySummary[] = [];
      for (const id of step?.deliveries ?? []) {
        const record = await storage.ask((store) => store.find(id));
        if (record.isErr()) return err(record.error);
        if (record.value?.body !== undefined) found.push(withoutBody(record.value));
      }
      return ok(found);
    },
  };
}

/** Bodies are large, and a step has many deliveries. */
function withoutBody({ body: _, attempts: __, endpoints: ___, ...summary }: DeliveryRecord): DeliverySummary {
  return summary;
}

function perLane(deliveries: readonly DeliverySummary[]): ReadonlyMap<DestinationId, number> {
  const counts = new Map<DestinationId, number>();
  for (const { destination } of deliveries) addOne(counts, destination);
  return counts;
}
