// Polls the store for the pauses of operators and for lanes that hold deliveries, including those of other processes, and starts
// maintenance after each poll. The next poll does not wait for the end of maintenance.

import type { DestinationId } from "@postrider/core";
import { createLoop } from "../loop.js";
import type { PollContext } from "./context.js";
import type { MaintenanceMemory } from "../relay-state.js";
import type { AskPauses } from "../commits/storage.js";
import { createMaintenance } from "./create-maintenance.js";
import { createReadLanes } from "./read-lanes.js";
import { readPauses } from "./read-pauses.js";

export interface Poller {
  start(): void;
  /** Polls now, besides what is planned. */
  readonly wake: () => void;
  stop(): Promise<void>;
  /** What is owed and planned, for the relay that takes over. */
  remember(): MaintenanceMemory;
}

/** `pollMs`: the interval at which the store is asked for work that another process stored. */
export function createPoller(context: PollContext, pollMs: number, known?: MaintenanceMemory): Poller {
  const { wake } = context;
  const loop = createLoop(context.clock, poll);
  const maintenanceWork = createMaintenance(context, () => !loop.isStopped(), known);
  const readLanes = createReadLanes({
    ...context,
    shouldContinue: () => !loop.isStopped(),
  });
  const orphans = new Set(known?.orphans);
  let maintenance: Promise<void> | undefined;

  async function poll(): Promise<number> {
    const { askPauses, followTime } = context.storage;
    if (followTime !== undefined) await followTime().match(nothing, nothing);
    if (askPauses !== undefined) await learnPauses(askPauses);
    const lanes = await readLanes();
    if (lanes !== undefined) lookForOrphans(lanes);
    wake();
    if (lanes !== undefined && !loop.isStopped()) maintenance ??= runMaintenance(lanes);
    return pollMs;
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

  /** Reports the lanes whose destination is not in the settings, each once. */
  function lookForOrphans(lanes: readonly DestinationId[]): void {
    for (const lane of lanes) {
      if (context.settings.destination(lane) !== undefined) {
        orphans.delete(lane);
      } else if (!orphans.has(lane)) {
        orphans.add(lane);
        context.emit({ kind: "orphaned", destination: lane, deliveries: context.lanes.lane(lane).deliveries });
      }
    }
  }

  return {
    start: loop.start,
    wake: loop.wake,
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
