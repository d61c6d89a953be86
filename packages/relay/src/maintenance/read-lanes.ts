// Reads which lanes hold deliveries, those of other processes included: only what has changed where the store tells it, and all
// of them every half minute, so that no mistake of a store outlasts that. Does not know what the lanes are read for.

import { type Clock, type DestinationId, type LaneMark, type LaneRow, plusMs } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { LANES_PER_PAGE, READ_ALL_LANES_EVERY_MS } from "../limits.js";
import type { Lanes } from "../lanes/lanes.js";
import type { AskLaneChanges, Storage } from "../commits/storage.js";

export interface LaneReaderContext {
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, "startPoll" | "refresh" | "empty" | "emptyAllBut">;
  readonly storage: Pick<Storage, "ask" | "askLaneChanges">;
  readonly shouldContinue: () => boolean;
}

/**
 * Reads lanes, and answers which hold deliveries. Undefined if not all that there was to read could be read: what is left is
 * read by the next call.
 */
export type ReadLanes = () => Promise<readonly DestinationId[] | undefined>;

export function createReadLanes({ clock, lanes, storage, shouldContinue }: LaneReaderContext): ReadLanes {
  const { askLaneChanges } = storage;
  const held = new Set<DestinationId>();
  /** Where the changes begin that were not read yet; undefined if all lanes have to be read. */
  let mark: LaneMark | undefined;
  let allAgainAt = clock.monotonic();

  async function readChanges(): Promise<"done" | "failed" | "unknown"> {
    for (let more = true; more;) {
      if (!shouldContinue()) return "failed";
      const page = { limit: LANES_PER_PAGE, ...defined({ after: mark }) };
      const read = await askLaneChanges?.((changes) => changes.read(page));
      if (read === undefined || read.isErr()) return "failed";
      if (read.value === undefined) return "unknown";
      for (const row of read.value.lanes) learn(row);
      for (const lane of read.value.emptied) forget(lane);
      ({ mark, more } = read.value);
    }
    return "done";
  }

  function learn(row: LaneRow): void {
    held.add(row.lane);
    lanes.refresh(row);
  }

  function forget(lane: DestinationId): void {
    held.delete(lane);
    lanes.empty(lane);
  }

  /** Reads all lanes. The mark is of before, so that no change is missed that is made meanwhile. */
  async function readAll(): Promise<boolean> {
    mark = undefined;
    const before = askLaneChanges === undefined ? undefined : await markOfNow(askLaneChanges);
    const listed = new Set<DestinationId>();
    let after: DestinationId | undefined;
    for (let more = true; more && shouldContinue();) {
      const page = { limit: LANES_PER_PAGE, ...defined({ after }) };
      const read = await storage.ask((store) => store.lanes(page, clock.wall()));
      if (read.isErr()) return false;
      for (const row of read.value.lanes) lanes.refresh(row);
      for (const { lane } of read.value.lanes) listed.add((after = lane));
      more = read.value.more && read.value.lanes.length > 0;
    }
    if (!shouldContinue()) return false;
    lanes.emptyAllBut(listed);
    held.clear();
    for (const lane of listed) held.add(lane);
    mark = before;
    allAgainAt = plusMs(clock.monotonic(), READ_ALL_LANES_EVERY_MS);
    return true;
  }

  return async () => {
    lanes.startPoll();
    const isKnown = mark !== undefined && clock.monotonic() < allAgainAt;
    const changes = isKnown ? await readChanges() : "unknown";
    const isRead = changes === "unknown" ? await readAll() : changes === "done";
    return isRead ? [...held] : undefined;
  };
}

async function markOfNow(askLaneChanges: AskLaneChanges): Promise<LaneMark | undefined> {
  const read = await askLaneChanges((changes) => changes.read({ limit: 0 }));
  return read.isOk() ? read.value?.mark : undefined;
}
