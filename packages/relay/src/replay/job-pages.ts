// The pages of a replay job: which deliveries come next, which of them can be replayed, and what is left of a page that was
// begun. Changes nothing.

import type { DeliveryPage, DeliverySummary, DestinationId, ReplayJob, ReplayJobStep } from "@postrider/core";
import { defined, type LaneBounds } from "@postrider/core/engine";
import { ok, type Result } from "neverthrow";
import { DELIVERIES_PER_SLICE, REPLAY_LANE_DELIVERIES } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { outOfReach } from "./preview.js";

export interface JobPages {
  /** The page after what the record has counted; `full` if a lane has no room for it. */
  next(job: ReplayJob): Promise<Result<NextPage | "full", StoreFault>>;
  /**
   * What is left of the step in the record, by listing its page again: a delivery that was replayed is not listed any
   * more.
   */
  left(job: ReplayJob): Promise<Result<readonly DeliverySummary[], StoreFault>>;
}

export interface NextPage {
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
  /** A job takes at most half of what a lane holds, so that calls find room. */
  const most = Math.min(REPLAY_LANE_DELIVERIES, laneBounds.maxDeliveries / 2);

  async function list({ filter, after }: ReplayJob, limit: number): Promise<Result<DeliveryPage, StoreFault>> {
    return storage.ask((store) => store.list({ ...filter, notReplayed: true, limit, ...defined({ after }) }));
  }

  function hasRoom(id: DestinationId, more: number): boolean {
    const { deliveries, bytes } = lanes.lane(id);
    // A lane that is empty takes one page, however small the bound.
    return deliveries === 0 || (deliveries + more <= most && bytes <= laneBounds.maxBytes / 2);
  }

  return {
    next: async (job) => {
      const page = await list(job, DELIVERIES_PER_SLICE);
      return page.map(({ deliveries: all, next }) => {
        const deliveries = all.filter((one) => outOfReach(settings, one) === undefined);
        if (![...perLane(deliveries)].every(([lane, more]) => hasRoom(lane, more))) return "full";
        const ids = deliveries.map(({ id }) => id);
        const step = { deliveries: ids, skipped: all.length - ids.length, ...defined({ next }) };
        return { step, deliveries };
      });
    },
    left: async (job) => {
      if (job.step === undefined) return ok([]);
      const begun = new Set(job.step.deliveries);
      const page = await list(job, begun.size + job.step.skipped);
      return page.map(({ deliveries }) => deliveries.filter(({ id }) => begun.has(id)));
    },
  };
}

function perLane(deliveries: readonly DeliverySummary[]): ReadonlyMap<DestinationId, number> {
  const counts = new Map<DestinationId, number>();
  for (const { destination } of deliveries) counts.set(destination, (counts.get(destination) ?? 0) + 1);
  return counts;
}
