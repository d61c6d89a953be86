// A delivery store whose operations may fail, with the requests about users, the pauses, the replay jobs and the board that it keeps.

import type { Changes, DeletionStore, DeliveryStore, LaneBoard, PauseStore, ReplayJobStore } from "@postrider/core";
import type { Access, Perform } from "./perform.js";

/** The same store, each of whose operations is performed by `perform`. */
export function createFallibleStore(store: DeliveryStore, perform: Perform): DeliveryStore {
  return {
    commit: (changes, now) =>
      perform({
        access: accessOf(changes),
        work: () => store.commit(changes, now),
        steps: ["commit-asked", "commit-done"],
      }),
    claim: (request, now) =>
      perform({ access: "writes", work: () => store.claim(request, now), steps: ["claim-asked", "claim-done"] }),
    lanes: (page, now) => perform({ access: "reads", work: () => store.lanes(page, now) }),
    end: (request, now) => perform({ access: "writes", work: () => store.end(request, now) }),
    pullIn: (request, now) => perform({ access: "writes", work: () => store.pullIn(request, now) }),
    find: (id) => perform({ access: "reads", work: () => store.find(id) }),
    list: (query) => perform({ access: "reads", work: () => store.list(query) }),
    seen: (query, now) => perform({ access: "reads", work: () => store.seen(query, now) }),
    counts: () => perform({ access: "reads", work: () => store.counts() }),
    sweep: (request, now) => perform({ access: "writes", work: () => store.sweep(request, now) }),
    ...(store.deletions === undefined ? {} : { deletions: fallibleDeletions(store.deletions, perform) }),
    ...(store.pauses === undefined ? {} : { pauses: falliblePauses(store.pauses, perform) }),
    ...(store.replayJobs === undefined ? {} : { replayJobs: fallibleReplayJobs(store.replayJobs, perform) }),
    ...fallibleChanges(store, perform),
    ...(store.board === undefined ? {} : { board: fallibleBoard(store.board, perform) }),
    ...fallibleClock(store, perform),
    close: () => store.close(),
  };
}

function fallibleChanges({ laneChanges }: DeliveryStore, perform: Perform): Pick<DeliveryStore, "laneChanges"> {
  if (laneChanges === undefined) return {};
  return { laneChanges: { read: (query) => perform({ access: "reads", work: () => laneChanges.read(query) }) } };
}

function fallibleClock({ clock }: DeliveryStore, perform: Perform): Pick<DeliveryStore, "clock"> {
  return clock === undefined ? {} : { clock: { wall: () => perform({ access: "reads", work: () => clock.wall() }) } };
}

function accessOf({ accept, replay }: Changes): Access {
  return accept.length + replay.length > 0 ? "grows" : "writes";
}

function fallibleBoard(board: LaneBoard, perform: Perform): LaneBoard {
  return {
    beat: (request, now) => perform({ access: "writes", work: () => board.beat(request, now) }),
    write: (rows) => perform({ access: "writes", work: () => board.write(rows) }),
    leave: (process) => perform({ access: "writes", work: () => board.leave(process) }),
  };
}

function falliblePauses(pauses: PauseStore, perform: Perform): PauseStore {
  return {
    add: (lane, now) => perform({ access: "grows", work: () => pauses.add(lane, now) }),
    remove: (lane) => perform({ access: "writes", work: () => pauses.remove(lane) }),
    list: (query) => perform({ access: "reads", work: () => pauses.list(query) }),
  };
}

function fallibleReplayJobs(jobs: ReplayJobStore, perform: Perform): ReplayJobStore {
  return {
    create: (job) => perform({ access: "grows", work: () => jobs.create(job) }),
    replace: (job) => perform({ access: "writes", work: () => jobs.replace(job) }),
    find: (id) => perform({ access: "reads", work: () => jobs.find(id) }),
    list: (query) => perform({ access: "reads", work: () => jobs.list(query) }),
    remove: (id) => perform({ access: "writes", work: () => jobs.remove(id) }),
  };
}

function fallibleDeletions(deletions: DeletionStore, perform: Perform): DeletionStore {
  return {
    open: (deletion, now) => perform({ access: "grows", work: () => deletions.open(deletion, now) }),
    purge: (slice, now) => perform({ access: "writes", work: () => deletions.purge(slice, now) }),
    finish: (id, now) => perform({ access: "writes", work: () => deletions.finish(id, now) }),
    find: (id) => perform({ access: "reads", work: () => deletions.find(id) }),
    list: (query) => perform({ access: "reads", work: () => deletions.list(query) }),
    suppressed: (query) => perform({ access: "reads", work: () => deletions.suppressed(query) }),
  };
}
