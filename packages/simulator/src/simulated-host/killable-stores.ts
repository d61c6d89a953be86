// Stores whose requests are passed on by `whileAlive`: no answer comes once their process is dead.

import type {
  AudienceStore,
  DeletionStore,
  DeliveryStore,
  LaneBoard,
  PauseStore,
  ReplayJobStore,
} from "@postrider/core";

/** Starts the work if the process is alive, and passes on its result. */
export type WhileAlive = <T>(work: () => Promise<T>) => Promise<T>;

export function killableStore(store: DeliveryStore, whileAlive: WhileAlive): DeliveryStore {
  return {
    commit: (changes, now) => whileAlive(() => store.commit(changes, now)),
    claim: (request, now) => whileAlive(() => store.claim(request, now)),
    lanes: (page, now) => whileAlive(() => store.lanes(page, now)),
    end: (request, now) => whileAlive(() => store.end(request, now)),
    pullIn: (request, now) => whileAlive(() => store.pullIn(request, now)),
    find: (id) => whileAlive(() => store.find(id)),
    list: (query) => whileAlive(() => store.list(query)),
    seen: (query, now) => whileAlive(() => store.seen(query, now)),
    counts: () => whileAlive(() => store.counts()),
    sweep: (request, now) => whileAlive(() => store.sweep(request, now)),
    ...(store.deletions === undefined ? {} : { deletions: killableDeletions(store.deletions, whileAlive) }),
    ...(store.pauses === undefined ? {} : { pauses: killablePauses(store.pauses, whileAlive) }),
    ...(store.replayJobs === undefined ? {} : { replayJobs: killableReplayJobs(store.replayJobs, whileAlive) }),
    ...killableChanges(store, whileAlive),
    ...(store.board === undefined ? {} : { board: killableBoard(store.board, whileAlive) }),
    ...killableClock(store, whileAlive),
    close: () => whileAlive(() => store.close()),
  };
}

function killableChanges({ laneChanges }: DeliveryStore, whileAlive: WhileAlive): Pick<DeliveryStore, "laneChanges"> {
  return laneChanges === undefined
    ? {}
    : { laneChanges: { read: (query) => whileAlive(() => laneChanges.read(query)) } };
}

function killableClock({ clock }: DeliveryStore, whileAlive: WhileAlive): Pick<DeliveryStore, "clock"> {
  return clock === undefined ? {} : { clock: { wall: () => whileAlive(() => clock.wall()) } };
}

function killableBoard(board: LaneBoard, whileAlive: WhileAlive): LaneBoard {
  return {
    beat: (request, now) => whileAlive(() => board.beat(request, now)),
    write: (rows) => whileAlive(() => board.write(rows)),
    leave: (process) => whileAlive(() => board.leave(process)),
  };
}

function killablePauses(pauses: PauseStore, whileAlive: WhileAlive): PauseStore {
  return {
    add: (lane, now) => whileAlive(() => pauses.add(lane, now)),
    remove: (lane) => whileAlive(() => pauses.remove(lane)),
    list: (query) => whileAlive(() => pauses.list(query)),
  };
}

function killableReplayJobs(jobs: ReplayJobStore, whileAlive: WhileAlive): ReplayJobStore {
  return {
    create: (job) => whileAlive(() => jobs.create(job)),
    replace: (job) => whileAlive(() => jobs.replace(job)),
    find: (id) => whileAlive(() => jobs.find(id)),
    list: (query) => whileAlive(() => jobs.list(query)),
    remove: (id) => whileAlive(() => jobs.remove(id)),
  };
}

function killableDeletions(deletions: DeletionStore, whileAlive: WhileAlive): DeletionStore {
  return {
    open: (deletion, now) => whileAlive(() => deletions.open(deletion, now)),
    purge: (slice, now) => whileAlive(() => deletions.purge(slice, now)),
    finish: (id, now) => whileAlive(() => deletions.finish(id, now)),
    find: (id) => whileAlive(() => deletions.find(id)),
    list: (query) => whileAlive(() => deletions.list(query)),
    suppressed: (query) => whileAlive(() => deletions.suppressed(query)),
  };
}

export function killableAudiences(audiences: AudienceStore, whileAlive: WhileAlive): AudienceStore {
  return {
    create: (record) => whileAlive(() => audiences.create(record)),
    find: (key) => whileAlive(() => audiences.find(key)),
    list: () => whileAlive(() => audiences.list()),
    replace: (record) => whileAlive(() => audiences.replace(record)),
    append: (set, members) => whileAlive(() => audiences.append(set, members)),
    read: (set, after) => whileAlive(() => audiences.read(set, after)),
    sets: (prefix) => whileAlive(() => audiences.sets(prefix)),
    drop: (set) => whileAlive(() => audiences.drop(set)),
    erase: (set, userIds) => whileAlive(() => audiences.erase(set, userIds)),
    scrub: () => whileAlive(() => audiences.scrub()),
    close: () => whileAlive(() => audiences.close()),
  };
}
