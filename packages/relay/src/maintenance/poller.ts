// Polls the store for the pauses of operators and for the lanes that hold deliveries, those of other processes included: only for
// lanes that have changed where the store tells it, and for all of them every half minute, so that no mistake of a store outlasts
// that. Starts maintenance after each poll; the next poll does not wait for its end.

import { type DestinationId, type Clock, type LaneMark, type LaneRow, plusMs } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { createLoop } from "../loop.js";
import { type MaintenanceContext, createMaintenance } from "./maintenance.js";
import type { MaintenanceMemory } from "../relay-state.js";
import { createRecords, PAUSE_RECORDS } from "../commits/records.js";
import type { AskLaneChanges, AskRecords, Storage } from "../commits/storage.js";
import { LANES_PER_PAGE, READ_ALL_LANES_EVERY_MS } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { OperatorPauses } from "../settings-in-force.js";

export interface Poller {
  start(): void;
  /** Polls at once, besides the planned polls. */
  readonly wake: () => void;
  stop(): Promise<void>;
  /** The maintenance that is owed and planned, for the relay that takes over. */
  remember(): MaintenanceMemory;
}

interface Polling {
  /** The interval at which the store is asked for work that another process stored. */
  readonly pollMs: number;
  readonly pauses: Pick<OperatorPauses, "ask">;
  /** Wakes the dispatcher: there may be something to deliver. */
  readonly wake: () => void;
}

export function createPoller(
  context: MaintenanceContext,
  { pollMs, pauses, wake }: Polling,
  known?: MaintenanceMemory,
): Poller {
  const loop = createLoop(context.clock, poll);
  const maintenanceWork = createMaintenance(context, () => !loop.isStopped(), known);
  const readLanes = createReadLanes({
    ...context,
    shouldContinue: () => !loop.isStopped(),
  });
  const orphans = new Set(known?.orphans);
  let maintenance: Promise<void> | undefined;

  async function poll(): Promise<number> {
    const { askRecords, followTime } = context.storage;
    if (followTime !== undefined) await followTime().match(nothing, nothing);
    if (askRecords !== undefined) await learnPauses(askRecords);
    const lanes = await readLanes();
    if (lanes !== undefined) lookForOrphans(lanes);
    wake();
    if (lanes !== undefined && !loop.isStopped()) maintenance ??= runMaintenance(lanes);
    return pollMs;
  }

  async function learnPauses(askRecords: AskRecords): Promise<void> {
    const learn = pauses.ask();
    const paused = await createRecords(askRecords, PAUSE_RECORDS).list();
    if (paused.isOk() && learn(paused.value.map(({ lane }) => lane))) context.lanes.applyTerms();
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

interface LaneReaderContext {
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, "startPoll" | "refresh" | "empty" | "emptyAllBut">;
  readonly storage: Pick<Storage, "ask" | "askLaneChanges">;
  readonly shouldContinue: () => boolean;
}

/**
 * Reads lanes, and answers which hold deliveries. Undefined if not all of them could be read: the next call reads the rest.
 */
type ReadLanes = () => Promise<readonly DestinationId[] | undefined>;

function createReadLanes({ clock, lanes, storage, shouldContinue }: LaneReaderContext): ReadLanes {
  const { askLaneChanges } = storage;
  const storedLanes = new Set<DestinationId>();
  /** The mark after which changes were not read yet; undefined if all lanes have to be read. */
  let mark: LaneMark | undefined;
  let readAllAt = clock.monotonic();

  /** `read-all`: the store does not know any more what has changed since the mark. */
  async function readChanges(): Promise<"done" | "failed" | "read-all"> {
    for (let more = true; more;) {
      if (!shouldContinue()) return "failed";
      const page = { limit: LANES_PER_PAGE, ...defined({ after: mark }) };
      const answer = await askLaneChanges?.((changes) => changes.read(page));
      if (answer === undefined || answer.isErr()) return "failed";
      if (answer.value === undefined) return "read-all";
      for (const row of answer.value.lanes) learn(row);
      for (const lane of answer.value.emptied) forget(lane);
      ({ mark, more } = answer.value);
    }
    return "done";
  }

  function learn(row: LaneRow): void {
    storedLanes.add(row.lane);
    lanes.refresh(row);
  }

  function forget(lane: DestinationId): void {
    storedLanes.delete(lane);
    lanes.empty(lane);
  }

  /** Reads all lanes. The mark is asked for first, so that no change is missed that is made meanwhile. */
  async function readAll(): Promise<boolean> {
    mark = undefined;
    const markBefore = askLaneChanges === undefined ? undefined : await readMark(askLaneChanges);
    const listed = new Set<DestinationId>();
    let after: DestinationId | undefined;
    for (let more = true; more && shouldContinue();) {
      const page = { limit: LANES_PER_PAGE, ...defined({ after }) };
      const answer = await storage.ask((store) => store.lanes(page, clock.wall()));
      if (answer.isErr()) return false;
      for (const row of answer.value.lanes) lanes.refresh(row);
      for (const { lane } of answer.value.lanes) listed.add(lane);
      after = answer.value.lanes.at(-1)?.lane;
      more = answer.value.more && answer.value.lanes.length > 0;
    }
    if (!shouldContinue()) return false;
    lanes.emptyAllBut(listed);
    storedLanes.clear();
    for (const lane of listed) storedLanes.add(lane);
    mark = markBefore;
    readAllAt = plusMs(clock.monotonic(), READ_ALL_LANES_EVERY_MS);
    return true;
  }

  return async () => {
    lanes.startPoll();
    const areChangesEnough = mark !== undefined && clock.monotonic() < readAllAt;
    const changes = areChangesEnough ? await readChanges() : "read-all";
    const isRead = changes === "read-all" ? await readAll() : changes === "done";
    return isRead ? [...storedLanes] : undefined;
  };
}

async function readMark(askLaneChanges: AskLaneChanges): Promise<LaneMark | undefined> {
  const answer = await askLaneChanges((changes) => changes.read({ limit: 0 }));
  return answer.isOk() ? answer.value?.mark : undefined;
}
