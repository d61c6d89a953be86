// The relay's view of its lanes: when the next delivery of each is due, how many deliveries and bytes it has, and how
// fast it may send. The store has the true counts; here are those of its last answer, plus the changes that this
// process has made since. Core decides the pace of a lane after a round.

import type { Clock, DestinationId, EpochMs, LaneRow, Random } from "@postrider/core";
import { afterRound, type LaneState, mayStartRound, type EndedRound } from "@postrider/core/engine";
import { earlier, type Lane, newLane } from "./lane.js";
import { addEntry, type LaneEntry, type NewEntry, storedEntry } from "./lane-entry.js";
import { createLaneTurns, type LaneTurns } from "./lane-turns.js";
import type { SettingsInForce } from "./settings-in-force.js";

export interface Lanes extends Omit<LaneTurns, "update"> {
  /**
   * The state of a lane as decisions see it; the object changes with the lane. An unknown lane is created, so the id must not
   * come from a caller.
   */
  lane(id: DestinationId): LaneState;
  isHeld(id: DestinationId): boolean;
  /** To be called when a delivery of this lane can be claimed from `dueAt` on. */
  due(lane: DestinationId, dueAt: EpochMs): void;
  /** Counts a delivery that is about to be stored. */
  add(lane: DestinationId, bytes: number): NewEntry;
  /** The entry of a delivery that is claimed from the store. */
  entry(lane: DestinationId, bytes: number): LaneEntry;
  /** Whether one more round of this lane may start. */
  mayStart(lane: DestinationId): boolean;
  /**
   * To be called when a round has ended, while its slot is still taken. Returns `held` or `open` if its lane has become
   * so.
   */
  roundEnded(lane: DestinationId, round: Omit<EndedRound, "inFlight">): "held" | "open" | undefined;
  /** Takes over the store's row of a lane. */
  refresh(row: LaneRow): void;
  /** To be called when other settings are in force. */
  applySettings(): void;
  /** To be called when the poller begins to ask the store for all lanes with deliveries. */
  startPoll(): void;
  /**
   * Sets the counts of all lanes that are not in `listed` to 0, since the store has answered that only the lanes in
   * `listed` have deliveries. A lane to which a delivery was added since the poll began keeps its counts.
   */
  emptyAllBut(listed: ReadonlySet<DestinationId>): void;
}

export interface LanesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Pick<SettingsInForce, "destination" | "isOpen">;
}

export function createLanes({ clock, random, settings }: LanesOptions): Lanes {
  const lanes = new Map<DestinationId, Lane>();
  const turns = createLaneTurns({ open, clock });
  /** How many polls have begun. */
  let poll = 0;

  function open(id: DestinationId): Lane {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    const lane = newLane(id, termsOf(id), random.unit());
    lanes.set(id, lane);
    return lane;
  }

  function termsOf(id: DestinationId): Pick<Lane, "isOpen" | "rateLimit"> {
    return { isOpen: settings.isOpen(id), rateLimit: settings.destination(id)?.destination.rateLimit };
  }

  function due(lane: Lane, dueAt: EpochMs): void {
    lane.nextDueAt = earlier(lane.nextDueAt, dueAt);
    lane.dueMeanwhile = earlier(lane.dueMeanwhile, dueAt);
    turns.update(lane);
  }

  return {
    ...turns,
    lane: open,
    isHeld: (id) => lanes.get(id)?.pace.backoff !== undefined,
    due: (id, dueAt): void => {
      due(open(id), dueAt);
    },
    add: (id, bytes) => addEntry(open(id), bytes, poll),
    entry: (id, bytes) => storedEntry(open(id), bytes),
    mayStart: (id) => mayStartRound(open(id)),
    roundEnded: (id, round) => {
      const lane = open(id);
      const wasHeld = lane.pace.backoff !== undefined;
      lane.pace = afterRound(lane.pace, { ...round, inFlight: lane.running }, clock.monotonic());
      turns.update(lane);
      const isHeld = lane.pace.backoff !== undefined;
      if (isHeld === wasHeld) return undefined;
      return isHeld ? "held" : "open";
    },
    refresh: (row): void => {
      const lane = open(row.lane);
      lane.deliveries = row.deliveries;
      lane.bytes = row.bytes;
      lane.countsFrom = poll;
      due(lane, row.nextDueAt);
    },
    applySettings: (): void => {
      for (const lane of lanes.values()) {
        Object.assign(lane, termsOf(lane.lane));
        turns.update(lane);
      }
    },
    startPoll: (): void => {
      poll += 1;
    },
    emptyAllBut: (listed): void => {
      for (const [id, lane] of lanes) {
        if (listed.has(id) || lane.grownInPoll === poll) continue;
        lane.deliveries = 0;
        lane.bytes = 0;
        lane.countsFrom = poll;
        if (lane.readiness === "idle" && lane.inFlight === 0 && settings.destination(id) === undefined)
          lanes.delete(id);
      }
    },
  };
}
