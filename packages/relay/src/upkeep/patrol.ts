// The rounds of a night watchman: looks around for work that other processes stored, and sets the chores going. They take
// their time, and the next look around does not wait for them.

import type { Cancel, DestinationId, LaneRow } from "@postrider/core";
import type { RelayContext } from "../context.js";
import { LANE_PAGE } from "../limits.js";
import { createChores } from "./chores.js";

export interface Patrol {
  start(): void;
  stop(): Promise<void>;
}

/** `wake` is called whenever there may be something to deliver. */
export function createPatrol(context: RelayContext, wake: () => void): Patrol {
  const chores = createChores(context, () => isRunning);
  const orphans = new Set<DestinationId>();
  let isRunning = false;
  let isAtChores = false;
  let walk: Promise<void> = Promise.resolve();
  let work: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel | undefined;

  async function walkOnce(): Promise<void> {
    const lanes = await readLanes();
    wake();
    if (lanes !== undefined && !isAtChores && isRunning) work = doChores(lanes);
    if (isRunning) cancelTimer = context.clock.after(context.pollMs, begin);
  }

  async function doChores(lanes: readonly DestinationId[]): Promise<void> {
    isAtChores = true;
    await chores(lanes);
    isAtChores = false;
    wake();
  }

  function begin(): void {
    walk = walkOnce();
  }

  /** Undefined if they could not all be read: then it is too early for chores. */
  async function readLanes(): Promise<readonly DestinationId[] | undefined> {
    const lanes: DestinationId[] = [];
    context.lanes.look();
    let after: DestinationId | undefined;
    for (let more = true; more && isRunning;) {
      const page = { limit: LANE_PAGE, ...(after === undefined ? {} : { after }) };
      const read = await context.storage.ask((store) => store.lanes(page, context.clock.wall()));
      if (read.isErr()) return undefined;
      for (const row of read.value.lanes) see(row);
      lanes.push(...read.value.lanes.map((row) => row.lane));
      after = lanes.at(-1);
      more = read.value.more && after !== undefined;
    }
    if (isRunning) context.lanes.emptyAllBut(new Set(lanes));
    return lanes;
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

  return {
    start: (): void => {
      isRunning = true;
      begin();
    },
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      await walk;
      await work;
    },
  };
}
