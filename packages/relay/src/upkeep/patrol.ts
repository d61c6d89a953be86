// The rounds of a night watchman: looks for work that other processes stored, ends what waits for nobody, and sweeps
// out what has been finished for long enough. In slices, so that no other work waits behind it.

import type { Cancel, DestinationId, EpochMs, LaneRow } from "@postrider/core";
import type { RelayContext } from "../context.js";
import { endSlices } from "./end-slices.js";
import { END_EVERY_MS, LANE_PAGE, MAX_SLICES, POLL_MS, SLICE, SWEEP_EVERY_MS } from "../limits.js";

const HOUR_MS = 3_600_000;

export interface Patrol {
  start(): void;
  stop(): Promise<void>;
}

/** `wake` is called whenever lanes have been looked at. */
export function createPatrol(context: RelayContext, wake: () => void): Patrol {
  const orphans = new Set<DestinationId>();
  let isRunning = false;
  let walk: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel | undefined;
  let endAt = context.clock.monotonic() as number;
  let sweepAt = context.clock.monotonic() as number;

  async function walkOnce(): Promise<void> {
    const rows = await readLanes();
    wake();
    const now = context.clock.monotonic();
    if (now >= endAt) {
      endAt = now + END_EVERY_MS;
      await endClosed(rows);
    }
    if (now >= sweepAt) {
      sweepAt = now + SWEEP_EVERY_MS;
      await sweepFinished();
    }
    if (isRunning) cancelTimer = context.clock.after(POLL_MS, begin);
  }

  function begin(): void {
    walk = walkOnce();
  }

  async function readLanes(): Promise<readonly LaneRow[]> {
    const rows: LaneRow[] = [];
    let after: DestinationId | undefined;
    for (let more = true; more && isRunning;) {
      const page = { limit: LANE_PAGE, ...(after === undefined ? {} : { after }) };
      const read = await context.storage.ask((store) => store.lanes(page, context.clock.wall()));
      if (read.isErr()) break;
      for (const row of read.value.lanes) see(row);
      rows.push(...read.value.lanes);
      after = read.value.lanes.at(-1)?.lane;
      more = read.value.more && after !== undefined;
    }
    return rows;
  }

  function see(row: LaneRow): void {
    context.lanes.refresh(row);
    if (context.settings.destination(row.lane) !== undefined) {
      orphans.delete(row.lane);
    } else if (!orphans.has(row.lane)) {
      orphans.add(row.lane);
      context.tell({ kind: "orphaned", destination: row.lane, deliveries: row.deliveries });
    }
  }

  async function endClosed(rows: readonly LaneRow[]): Promise<void> {
    for (const { lane } of rows) {
      if (context.settings.isOpen(lane) || !isRunning) continue;
      const { delivery, retention } = context.settings.workspace();
      const now = context.clock.wall();
      const firstAttemptBefore = (now - delivery.retryWindowMs) as EpochMs;
      const expired = await endSlices(context, { lane, reason: "expired", firstAttemptBefore });
      if (expired.isErr()) return;
      if (context.settings.destination(lane) !== undefined) continue;
      const acceptedBefore = (now - retention.deadHours * HOUR_MS) as EpochMs;
      const removed = await endSlices(context, { lane, reason: "destination-removed", acceptedBefore });
      if (removed.isErr()) return;
    }
  }

  async function sweepFinished(): Promise<void> {
    const { retention } = context.settings.workspace();
    const now = context.clock.wall();
    const deliveredBefore = (now - retention.deliveredHours * HOUR_MS) as EpochMs;
    const deadBefore = (now - retention.deadHours * HOUR_MS) as EpochMs;
    let total = 0;
    for (let slice = 0; slice < MAX_SLICES && isRunning; slice += 1) {
      const request = { deliveredBefore, deadBefore, limit: SLICE };
      const swept = await context.storage.ask((store) => store.sweep(request, now));
      if (swept.isErr()) break;
      total += swept.value;
      if (swept.value < SLICE) break;
    }
    if (total > 0) context.tell({ kind: "swept", deliveries: total });
  }

  return {
    start: (): void => {
      isRunning = true;
      begin();
    },
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      await walk;
    },
  };
}
