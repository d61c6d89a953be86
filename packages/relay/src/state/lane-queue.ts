// The order of the lanes: those that are ready, in the order of their turns; those that are due later; those that must not
// be claimed from before a certain time; those that have their full share of slots until more are free. Core decides what
// keeps a lane from its turn; here it is only stored, so that choosing a turn looks at no lane that cannot have one.

import type { Clock, DestinationId } from "@postrider/core";
import { type Moment, type LaneReadiness, readinessOf } from "@postrider/core/engine";
import type { Lane } from "./lane.js";
import { createTimeline } from "./timeline.js";

export interface LaneQueue {
  /** The lane has changed. */
  update(lane: Lane): void;
  /** The lane has had a turn: it goes behind all others. */
  sendBack(lane: Lane): void;
  /** Whether a lane was waiting for its turn at the last look. */
  hasReady(): boolean;
  /** The first lanes that are ready now, in the order of their turns, and whether these are all. */
  ready(limit: number): { readonly lanes: readonly Lane[]; readonly isAll: boolean };
  /** How long no lane will be ready if nothing changes; undefined if none ever will. */
  untilReadyMs(): number | undefined;
}

/** `freeSlots` returns the number of free slots over all lanes. */
export function createLaneQueue(clock: Pick<Clock, "wall" | "monotonic">, freeSlots: () => number): LaneQueue {
  const ready = new Map<DestinationId, Lane>();
  const due = createTimeline<Lane>();
  const paused = createTimeline<Lane>();
  const crowded = createTimeline<Lane>();

  /** The present moment. Each part is read when it is used: a lane in which nothing is due uses no part. */
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
    // Most lanes are empty most of the time.
    if (lane.stands === "idle" && lane.nextDueAt === undefined) return;
    stand(lane, readinessOf(lane, present));
  }

  /** Moves the lanes whose time has come, or for which enough slots are free, to the ready ones. */
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
      // One moment for all lanes: otherwise a clock that steps back meanwhile would bring up the same lane repeatedly.
      const moment = { ...present };
      ripen(moment);
      const lanes: Lane[] = [];
      for (const lane of ready.values()) {
        if (lanes.length >= limit) return { lanes, isAll: false };
        // Other lanes may have taken the slots that were free when it was queued here.
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
