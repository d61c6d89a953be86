// Polls the store for the pauses of operators and for lanes that hold deliveries, including those of other processes, and starts
// maintenance after each poll. The next poll does not wait for the end of maintenance.

import { defined } from "@postrider/core/engine";
import type { DestinationId, LaneRow } from "@postrider/core";
import { LANES_PER_PAGE } from "../limits.js";
import { createLoop } from "../loop.js";
import type { PollContext } from "./context.js";
import type { MaintenanceMemory } from "../state/relay-state.js";
import type { AskPauses } from "../storage/storage.js";
import { createMaintenance } from "./create-maintenance.js";
import { readPauses } from "./read-pauses.js";

export interface Poller {
  start(): void;
  stop(): Promise<void>;
  /** What is owed and planned, for the relay that takes over. */
  remember(): MaintenanceMemory;
}

export function createPoller(context: PollContext, known?: MaintenanceMemory): Poller {
  const { wake } = context;
  const loop = createLoop(context.clock, poll);
  const maintenanceWork = createMaintenance(context, () => !loop.isStopped(), known);
  const orphans = new Set(known?.orphans);
  let maintenance: Promise<void> | undefined;

  async function poll(): Promise<number> {
    const { askPauses, followTime } = context.storage;
    if (followTime !== undefined) await followTime().match(nothing, nothing);
    if (askPauses !== undefined) await learnPauses(askPauses);
    const lanes = await readLanes();
    wake();
    if (lanes !== undefined && !loop.isStopped()) maintenance ??= runMaintenance(lanes);
    return context.pollMs;
  }

  async function learnPauses(askPauses: AskPauses): Promise<void> {
    const learn = context.pauses.ask();
    const paused = await readPauses(askPauses, () => !loop.isStopped());
    if (paused !== undefined && learn(paused)) context.lanes.applyTerms();
  }

  async function runMaintenance(lanes: readonly DestinationId[]): Promise<void> {
    await maintenanceWork.run(lanes);
    maintenance = undefined;
    wake();
  }

  /**
   * Reads all lanes with deliveries. Undefined if not all of them could be read: maintenance then waits for a later
   * poll.
   */
  async function readLanes(): Promise<readonly DestinationId[] | undefined> {
    const lanes: DestinationId[] = [];
    context.lanes.startPoll();
    let after: DestinationId | undefined;
    for (let more = true; more && !loop.isStopped();) {
      const page = { limit: LANES_PER_PAGE, ...defined({ after }) };
      const read = await context.storage.ask((store) => store.lanes(page, context.clock.wall()));
      if (read.isErr()) return undefined;
      for (const row of read.value.lanes) see(row);
      lanes.push(...read.value.lanes.map((row) => row.lane));
      after = lanes.at(-1);
      more = read.value.more && after !== undefined;
    }
    if (!loop.isStopped()) context.lanes.emptyAllBut(new Set(lanes));
    return lanes;
  }

  function see(row: LaneRow): void {
    context.lanes.refresh(row);
    if (context.settings.destination(row.lane) !== undefined) {
      orphans.delete(row.lane);
    } else if (!orphans.has(row.lane)) {
      orphans.add(row.lane);
      context.emit({ kind: "orphaned", destination: row.lane, deliveries: row.deliveries });
    }
  }

  return {
    start: loop.start,
    stop: async (): Promise<void> => {
      await loop.stop();
      await maintenance;
    },
    remember: () => ({ ...maintenanceWork.remember(), orphans: [...orphans] }),
  };
}

function nothing(): void {
  // If the time could not be read, the one that is known is right for a while.
}
