// What the relay knows of its lanes: how much of each is under way, when the next of it is due, and how much it holds.
// The store knows better; this is what was heard of it last, plus what has happened here since. Decides nothing.

import type { DestinationId, EpochMs, Grant, LaneLoad, LaneRow, LaneView } from "@postrider/core";

interface Lane {
  inFlight: number;
  nextDueAt: EpochMs | undefined;
  /** Due times heard of while a claim was out; its answer cannot know of them. */
  heardMeanwhile: EpochMs | undefined;
  deliveries: number;
  bytes: number;
  /** Whether it has grown since somebody began to look. */
  hasGrown: boolean;
}

const NEW_LANE: Readonly<Lane> = {
  inFlight: 0,
  nextDueAt: undefined,
  heardMeanwhile: undefined,
  deliveries: 0,
  bytes: 0,
  hasGrown: false,
};

export interface LaneBook {
  views(isOpen: (lane: DestinationId) => boolean): readonly LaneView[];
  view(lane: DestinationId, isOpen: boolean): LaneView;
  /** Deliveries under way in all lanes together. */
  inFlight(): number;
  load(lane: DestinationId): LaneLoad;
  /** A delivery of this lane can be claimed at `dueAt`. */
  due(lane: DestinationId, dueAt: EpochMs): void;
  /** A new delivery is about to be stored. */
  grow(lane: DestinationId, bytes: number): void;
  /** A delivery was finished, or could not be stored. */
  shrink(lane: DestinationId, bytes: number): void;
  begin(lane: DestinationId): void;
  finish(lane: DestinationId): void;
  /** A claim goes out; what it may bring counts as under way until it is back. */
  asked(grants: readonly Grant[]): void;
  /** It is back, and says when each lane is due next; undefined if it failed. */
  answered(grants: readonly Grant[], nextDueAt: ReadonlyMap<DestinationId, EpochMs> | undefined): void;
  /** What the store says of a lane. */
  refresh(row: LaneRow): void;
  /** Somebody begins to ask the store for all lanes that hold something. */
  look(): void;
  /**
   * These are all of them: the others are empty, whoever has ended what they held. Of one that has grown since the
   * question the answer proves nothing.
   */
  emptyAllBut(held: ReadonlySet<DestinationId>): void;
}

export function createLaneBook(): LaneBook {
  const lanes = new Map<DestinationId, Lane>();
  let inFlight = 0;

  function open(id: DestinationId): Lane {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    const lane: Lane = { ...NEW_LANE };
    lanes.set(id, lane);
    return lane;
  }

  function takePlaces(id: DestinationId, places: number): void {
    open(id).inFlight += places;
    inFlight += places;
  }

  return {
    views: (isOpen) => [...lanes].map(([id, lane]) => viewOf(id, lane, isOpen(id))),
    view: (id, isOpen) => viewOf(id, lanes.get(id) ?? NEW_LANE, isOpen),
    inFlight: () => inFlight,
    load: (id) => lanes.get(id) ?? { deliveries: 0, bytes: 0 },
    due: (id, dueAt): void => {
      const lane = open(id);
      lane.nextDueAt = earlier(lane.nextDueAt, dueAt);
      lane.heardMeanwhile = earlier(lane.heardMeanwhile, dueAt);
    },
    grow: (id, bytes): void => {
      const lane = open(id);
      lane.hasGrown = true;
      lane.deliveries += 1;
      lane.bytes += bytes;
    },
    shrink: (id, bytes): void => {
      const lane = open(id);
      lane.deliveries -= 1;
      lane.bytes -= bytes;
    },
    begin: (id): void => {
      takePlaces(id, 1);
    },
    finish: (id): void => {
      takePlaces(id, -1);
    },
    asked: (grants): void => {
      for (const { lane, limit } of grants) {
        open(lane).heardMeanwhile = undefined;
        takePlaces(lane, limit);
      }
    },
    answered: (grants, nextDueAt): void => {
      for (const { lane: id, limit } of grants) {
        const lane = open(id);
        takePlaces(id, -limit);
        if (nextDueAt !== undefined) lane.nextDueAt = earlier(nextDueAt.get(id), lane.heardMeanwhile);
      }
    },
    refresh: (row): void => {
      const lane = open(row.lane);
      lane.nextDueAt = earlier(lane.nextDueAt, row.nextDueAt);
      lane.heardMeanwhile = earlier(lane.heardMeanwhile, row.nextDueAt);
      lane.deliveries = row.deliveries;
      lane.bytes = row.bytes;
    },
    look: (): void => {
      for (const lane of lanes.values()) lane.hasGrown = false;
    },
    emptyAllBut: (held): void => {
      for (const [id, lane] of lanes) {
        if (held.has(id) || lane.hasGrown) continue;
        lane.deliveries = 0;
        lane.bytes = 0;
      }
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
