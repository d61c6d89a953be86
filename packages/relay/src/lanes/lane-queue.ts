// Keeps the lanes by their readiness: ready ones, in the order of their turns, and those that wait for a due time
// (due), for a probe or a token (paused), for the board (asking), or for free slots (crowded). Core decides the readiness of a lane; it is
// stored here, so that choosing a turn looks only at lanes that may be ready.

import type { Clock, DestinationId } from "@postrider/core";
import { type LaneMoment, type LaneReadiness, readinessOf } from "@postrider/core/engine";
import type { Lane } from "./lane.js";

/** The heap is rebuilt when its outdated items exceed the valid ones by more than this number. */
const OUTDATED_ITEMS = 64;

interface LaneQueue {
  /** To be called when the lane has changed. */
  update(lane: Lane): void;
  /** To be called when the lane has had a turn: puts it behind all others that are ready. */
  sendBack(lane: Lane): void;
  /** True if any lane is known to be ready; does not check lanes whose time may have come since. */
  hasReady(): boolean;
  /** The first `limit` lanes that are ready now, in the order of their turns, and whether these are all that are ready. */
  ready(limit: number): { readonly lanes: readonly Lane[]; readonly isAll: boolean };
  /** The lanes that wait for the board. */
  readonly asking: () => ReadonlySet<Lane>;
  /** Milliseconds until a lane becomes ready if nothing changes; undefined if no lane ever will. */
  untilReadyMs(): number | undefined;
}

interface LaneQueueOptions {
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /** Returns the number of free slots over all lanes. */
  readonly freeSlots: () => number;
  /** To be called when a further lane waits for the board. */
  readonly onAsking: () => void;
}

export function createLaneQueue({ clock, freeSlots, onAsking }: LaneQueueOptions): LaneQueue {
  const ready = new Map<DestinationId, Lane>();
  const dueLanes = createTimeline<Lane>();
  const paused = createTimeline<Lane>();
  const crowded = createTimeline<Lane>();
  const asking = new Set<Lane>();

  /** The present moment. Its fields are getters, so that a check of an idle lane reads no clock. */
  const present: LaneMoment = {
    get wall() {
      return clock.wall();
    },
    get monotonic() {
      return clock.monotonic();
    },
    get free() {
      return freeSlots();
    },
  };

  function place(lane: Lane, readiness: LaneReadiness): void {
    if (lane.readiness !== readiness.kind) remove(lane);
    lane.readiness = readiness.kind;
    switch (readiness.kind) {
      case "idle":
        return;
      case "due":
        dueLanes.set(lane, readiness.at);
        return;
      case "paused":
        paused.set(lane, readiness.until);
        return;
      case "crowded":
        crowded.set(lane, readiness.free);
        return;
      case "asking":
        if (asking.has(lane)) return;
        asking.add(lane);
        onAsking();
        return;
      case "ready":
        ready.set(lane.lane, lane);
        return;
    }
  }

  function remove(lane: Lane): void {
    switch (lane.readiness) {
      case "idle":
        return;
      case "due":
        dueLanes.delete(lane);
        return;
      case "paused":
        paused.delete(lane);
        return;
      case "crowded":
        crowded.delete(lane);
        return;
      case "asking":
        asking.delete(lane);
        return;
      case "ready":
        ready.delete(lane.lane);
        return;
    }
  }

  function update(lane: Lane): void {
    // Most lanes are empty most of the time.
    if (lane.readiness === "idle" && lane.nextDueAt === undefined) return;
    place(lane, readinessOf(lane, present));
  }

  /** Moves the lanes whose time has come, or for which enough slots are free, to the ready ones. */
  function promoteDue(moment: LaneMoment): void {
    const move = (lane: Lane): void => place(lane, readinessOf(lane, moment));
    for (let lane = dueLanes.take(moment.wall); lane !== undefined; lane = dueLanes.take(moment.wall)) move(lane);
    for (let lane = paused.take(moment.monotonic); lane !== undefined; lane = paused.take(moment.monotonic)) move(lane);
    for (let lane = crowded.take(moment.free); lane !== undefined; lane = crowded.take(moment.free)) move(lane);
  }

  return {
    update,
    sendBack: (lane): void => {
      if (ready.delete(lane.lane)) ready.set(lane.lane, lane);
    },
    hasReady: () => ready.size > 0,
    ready: (limit) => {
      // One moment for all lanes: otherwise, if the clock stepped back meanwhile, the same lane would be promoted again
      // and again.
      const moment = { wall: clock.wall(), monotonic: clock.monotonic(), free: freeSlots() };
      promoteDue(moment);
      const lanes: Lane[] = [];
      for (const lane of ready.values()) {
        if (lanes.length >= limit) return { lanes, isAll: false };
        // Other lanes may have taken the slots that were free when this lane was queued.
        place(lane, readinessOf(lane, moment));
        if (lane.readiness === "ready") lanes.push(lane);
      }
      return { lanes, isAll: true };
    },
    asking: () => asking,
    untilReadyMs: () => {
      const { wall, monotonic, free } = present;
      if (ready.size > 0 || (crowded.next() ?? Infinity) <= free) return 0;
      const waitMs = Math.min((dueLanes.next() ?? Infinity) - wall, (paused.next() ?? Infinity) - monotonic);
      return waitMs === Infinity ? undefined : Math.max(0, waitMs);
    },
  };
}

interface Timeline<Key> {
  /** Sets the instant of a key, which replaces its former instant. */
  set(key: Key, at: number): void;
  delete(key: Key): void;
  /** The earliest instant; undefined if there is none. */
  next(): number | undefined;
  /** Removes and returns the earliest key, if its instant is not later than `until`. */
  take(until: number): Key | undefined;
}

interface Item<Key> {
  readonly key: Key;
  readonly at: number;
}

export function createTimeline<Key>(): Timeline<Key> {
  /** The valid item of each key. Others in the heap are outdated. */
  const validItems = new Map<Key, Item<Key>>();
  let heap: Item<Key>[] = [];

  function first(): Item<Key> | undefined {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (validItems.get(top.key) === top) return top;
      removeFirst(heap);
    }
    return undefined;
  }

  return {
    set: (key, at): void => {
      if (validItems.get(key)?.at === at) return;
      const item = { key, at };
      validItems.set(key, item);
      // A sorted list is also a heap.
      if (heap.length > 2 * validItems.size + OUTDATED_ITEMS)
        heap = [...validItems.values()].sort((a, b) => a.at - b.at);
      else add(heap, item);
    },
    delete: (key): void => {
      validItems.delete(key);
    },
    next: () => first()?.at,
    take: (until) => {
      const item = first();
      if (item === undefined || item.at > until) return undefined;
      removeFirst(heap);
      validItems.delete(item.key);
      return item.key;
    },
  };
}

function add<Key>(heap: Item<Key>[], item: Item<Key>): void {
  let index = heap.length;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || parent.at <= item.at) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = item;
}

function removeFirst<Key>(heap: Item<Key>[]): void {
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return;
  let index = 0;
  for (let child = earlierChild(heap, index); child !== undefined; child = earlierChild(heap, index)) {
    const childItem = heap[child];
    if (childItem === undefined || childItem.at >= moved.at) break;
    heap[index] = childItem;
    index = child;
  }
  heap[index] = moved;
}

function earlierChild<Key>(heap: readonly Item<Key>[], index: number): number | undefined {
  const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
  if (left === undefined) return undefined;
  return right !== undefined && right.at < left.at ? 2 * index + 2 : 2 * index + 1;
}
