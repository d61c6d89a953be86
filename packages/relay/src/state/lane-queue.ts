// Where the lanes stand: those that are ready in the order of their turns, those that are due later, those that are to be
// left alone for a while, those that have their share of all places until more are free. What keeps a lane from its turn core
// says; here it is only remembered, so that a turn looks at no lane that cannot have one.

import type { Clock, DestinationId } from "@postrider/core";
import { type Moment, type LaneReadiness, readinessOf } from "@postrider/core/engine";
import type { Lane } from "./lane.js";
import { createTimeline } from "./timeline.js";

export interface LaneQueue {
  /** Something of the lane has changed. */
  update(lane: Lane): void;
  /** It has had a turn: it stands behind all others. */
  sendBack(lane: Lane): void;
  /** Whether a lane waits for its turn, as of the last look. */
  hasReady(): boolean;
  /** The first of those that are ready now, in the order of their turns, and whether they are all. */
  ready(limit: number): { readonly lanes: readonly Lane[]; readonly isAll: boolean };
  /** For how long none will be ready, if nothing happens; undefined if for ever. */
  untilReadyMs(): number | undefined;
}

/** `freeSlots` says how many places of all lanes together are free. */
export function createLaneQueue(clock: Pick<Clock, "wall" | "monotonic">, freeSlots: () => number): LaneQueue {
  const ready = new Map<DestinationId, Lane>();
  const due = createTimeline<Lane>();
  const paused = createTimeline<Lane>();
  const crowded = createTimeline<Lane>();

  /** The present, read as far as it is asked for: a lane in which nothing is due asks for none of it. */
  const present: Moment = {
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

  function stand(lane: Lane, standing: LaneReadiness): void {
    if (lane.stands !== standing.kind) leave(lane);
    lane.stands = standing.kind;
    switch (standing.kind) {
      case "idle":
        return;
      case "due":
        due.set(lane, standing.at);
        return;
      case "paused":
        paused.set(lane, standing.until);
        return;
      case "crowded":
        crowded.set(lane, standing.free);
        return;
      case "ready":
        ready.set(lane.lane, lane);
        return;
    }
  }

  function leave(lane: Lane): void {
    switch (lane.stands) {
      case "idle":
        return;
      case "due":
        due.delete(lane);
        return;
      case "paused":
        paused.delete(lane);
        return;
      case "crowded":
        crowded.delete(lane);
        return;
      case "ready":
        ready.delete(lane.lane);
        return;
    }
  }

  function update(lane: Lane): void {
    // Nothing waits in most lanes at most times.
    if (lane.stands === "idle" && lane.nextDueAt === undefined) return;
    stand(lane, readinessOf(lane, present));
  }

  /** Those that wait for no later time, and for no more free places. */
  function ripen(moment: Moment): void {
    const rise = (lane: Lane): void => stand(lane, readinessOf(lane, moment));
    for (let lane = due.take(moment.wall); lane !== undefined; lane = due.take(moment.wall)) rise(lane);
    for (let lane = paused.take(moment.monotonic); lane !== undefined; lane = paused.take(moment.monotonic)) rise(lane);
    for (let lane = crowded.take(moment.free); lane !== undefined; lane = crowded.take(moment.free)) rise(lane);
  }

  return {
    update,
    sendBack: (lane): void => {
      if (ready.delete(lane.lane)) ready.set(lane.lane, lane);
    },
    hasReady: () => ready.size > 0,
    ready: (limit) => {
      // One moment for all: a clock that steps back meanwhile would bring the same lane up again and again.
      const moment = { ...present };
      ripen(moment);
      const lanes: Lane[] = [];
      for (const lane of ready.values()) {
        if (lanes.length >= limit) return { lanes, isAll: false };
        // Others may have taken what was free when it came to stand here.
        stand(lane, readinessOf(lane, moment));
        if (lane.stands === "ready") lanes.push(lane);
      }
      return { lanes, isAll: true };
    },
    untilReadyMs: () => {
      const { wall, monotonic, free } = present;
      if (ready.size > 0 || (crowded.next() ?? Infinity) <= free) return 0;
      const waitMs = Math.min((due.next() ?? Infinity) - wall, (paused.next() ?? Infinity) - monotonic);
      return waitMs === Infinity ? undefined : Math.max(0, waitMs);
    },
  };
}
