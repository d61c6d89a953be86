// What the relay knows of its lanes: how much of each is under way, when the next of it is due, and how much it holds.
// The store knows better; this is what was heard of it last, plus what has happened here since. Decides nothing.

import type { DestinationId, EpochMs, LaneLoad, LaneRow, LaneView } from "@postrider/core";

interface Lane {
  inFlight: number;
  nextDueAt: EpochMs | undefined;
  /** Due times heard of while a claim was out; its answer cannot know of them. */
  heardMeanwhile: EpochMs | undefined;
  deliveries: number;
  bytes: number;
}

export interface LaneBook {
  views(isOpen: (lane: DestinationId) => boolean): readonly LaneView[];
  load(lane: DestinationId): LaneLoad;
  /** A delivery of this lane can be claimed at `dueAt`. */
  due(lane: DestinationId, dueAt: EpochMs): void;
  /** A new delivery was stored. */
  grow(lane: DestinationId, bytes: number): void;
  /** A delivery was finished. */
  shrink(lane: DestinationId, bytes: number): void;
  begin(lane: DestinationId): void;
  finish(lane: DestinationId): void;
  /** A claim that names these lanes goes out. */
  asked(lanes: readonly DestinationId[]): void;
  /** What that claim answered of when each is due next. */
  answered(lanes: readonly DestinationId[], nextDueAt: ReadonlyMap<DestinationId, EpochMs>): void;
  /** What the store says of a lane. */
  refresh(row: LaneRow): void;
}

export function createLaneBook(): LaneBook {
  const lanes = new Map<DestinationId, Lane>();

  function open(id: DestinationId): Lane {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    const lane: Lane = { inFlight: 0, nextDueAt: undefined, heardMeanwhile: undefined, deliveries: 0, bytes: 0 };
    lanes.set(id, lane);
    return lane;
  }

  return {
    views: (isOpen) => [...lanes].map(([id, lane]) => viewOf(id, lane, isOpen(id))),
    load: (id) => lanes.get(id) ?? { deliveries: 0, bytes: 0 },
    due: (id, dueAt): void => {
      const lane = open(id);
      lane.nextDueAt = earlier(lane.nextDueAt, dueAt);
      lane.heardMeanwhile = earlier(lane.heardMeanwhile, dueAt);
    },
    grow: (id, bytes): void => {
      const lane = open(id);
      lane.deliveries += 1;
      lane.bytes += bytes;
    },
    shrink: (id, bytes): void => {
      const lane = open(id);
      lane.deliveries -= 1;
      lane.bytes -= bytes;
    },
    begin: (id): void => {
      open(id).inFlight += 1;
    },
    finish: (id): void => {
      open(id).inFlight -= 1;
    },
    asked: (ids): void => {
      for (const id of ids) open(id).heardMeanwhile = undefined;
    },
    answered: (ids, nextDueAt): void => {
      for (const id of ids) {
        const lane = open(id);
        lane.nextDueAt = earlier(nextDueAt.get(id), lane.heardMeanwhile);
      }
    },
    refresh: (row): void => {
      const lane = open(row.lane);
      lane.nextDueAt = earlier(lane.nextDueAt, row.nextDueAt);
      lane.heardMeanwhile = earlier(lane.heardMeanwhile, row.nextDueAt);
      lane.deliveries = row.deliveries;
      lane.bytes = row.bytes;
    },
  };
}

function viewOf(id: DestinationId, lane: Lane, isOpen: boolean): LaneView {
  const due = lane.nextDueAt === undefined ? {} : { nextDueAt: lane.nextDueAt };
  return { lane: id, inFlight: lane.inFlight, isOpen, ...due };
}

function earlier(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined) return other;
  return other === undefined || one <= other ? one : other;
}
