// One call of each method of a store, with its name: for promises about all of them. Each calls the method itself, so that
// what the method throws is thrown here.

import { type Changes, deletionId, type DeliveryId, type DeliveryStore } from "@postrider/core";
import { boardRow, LONG_LIVE_MS, processOf } from "./board-scene.js";
import { replayJob } from "./replay-job-scene.js";
import { LEASE_MS, type Scene } from "./scene.js";

export interface MethodCall {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

/** One call of each method but `close`. */
export function callsOfEachMethod(scene: Scene, store: DeliveryStore, id: DeliveryId): readonly MethodCall[] {
  const [{ lane }, now] = [scene, scene.now()];
  const lease = { token: scene.token("each"), leaseMs: LEASE_MS };
  const nothing: Changes = { accept: [], replay: [], settle: [], append: [], tally: [], lease };
  const calls: readonly MethodCall[] = [
    { name: "commit", call: () => store.commit({ ...nothing, accept: [scene.message()] }, now) },
    { name: "commit of nothing", call: () => store.commit(nothing, now) },
    { name: "claim", call: () => store.claim({ ...lease, lanes: [{ lane, limit: 1 }] }, now) },
    { name: "lanes", call: () => store.lanes({ limit: 1 }, now) },
    { name: "end", call: () => store.end({ lane, reason: "expired", limit: 1 }, now) },
    { name: "pullIn", call: () => store.pullIn({ lane, dueAfter: now, dueAt: now, limit: 1 }, now) },
    { name: "find", call: () => store.find(id) },
    { name: "list", call: () => store.list({ source: scene.source, limit: 1 }) },
    { name: "seen", call: () => store.seen({ messageId: "each" }, now) },
    { name: "counts", call: () => store.counts() },
    { name: "sweep", call: () => store.sweep({ deliveredBefore: now, deadBefore: now, limit: 1 }, now) },
  ];
  return [
    ...calls,
    ...callsOfDeletions(scene, store),
    ...callsOfPauses(scene, store),
    ...callsOfReplayJobs(scene, store),
    ...callsOfLaneChanges(store),
    ...callsOfSettings(scene, store),
    ...callsOfBoard(scene, store),
  ];
}

function callsOfDeletions(scene: Scene, { deletions }: DeliveryStore): readonly MethodCall[] {
  if (deletions === undefined) return [];
  const [id, now] = [deletionId(`${scene.source}-each`), scene.now()];
  const request = { id, regulation: "delete-only", userIds: [`${scene.source}-each`], sources: null } as const;
  return [
    { name: "deletions.open", call: () => deletions.open(request, now) },
    { name: "deletions.purge", call: () => deletions.purge({ id, limit: 1 }, now) },
    { name: "deletions.finish", call: () => deletions.finish(id, now) },
    { name: "deletions.find", call: () => deletions.find(id) },
    { name: "deletions.list", call: () => deletions.list({ limit: 1 }) },
    { name: "deletions.suppressed", call: () => deletions.suppressed({ limit: 1 }) },
  ];
}

function callsOfLaneChanges({ laneChanges }: DeliveryStore): readonly MethodCall[] {
  return laneChanges === undefined ? [] : [{ name: "laneChanges.read", call: () => laneChanges.read({ limit: 1 }) }];
}

function callsOfPauses(scene: Scene, { pauses }: DeliveryStore): readonly MethodCall[] {
  if (pauses === undefined) return [];
  const [{ lane }, now] = [scene, scene.now()];
  return [
    { name: "pauses.add", call: () => pauses.add(lane, now) },
    { name: "pauses.remove", call: () => pauses.remove(lane) },
    { name: "pauses.list", call: () => pauses.list({ limit: 1 }) },
  ];
}

function callsOfReplayJobs(scene: Scene, { replayJobs }: DeliveryStore): readonly MethodCall[] {
  if (replayJobs === undefined) return [];
  const job = replayJob(scene, "each");
  return [
    { name: "replayJobs.create", call: () => replayJobs.create(job) },
    { name: "replayJobs.replace", call: () => replayJobs.replace(job) },
    { name: "replayJobs.find", call: () => replayJobs.find(job.id) },
    { name: "replayJobs.list", call: () => replayJobs.list({}) },
    { name: "replayJobs.remove", call: () => replayJobs.remove(job.id) },
  ];
}

function callsOfSettings(scene: Scene, { settings }: DeliveryStore): readonly MethodCall[] {
  if (settings === undefined) return [];
  return [
    { name: "settings.put", call: () => settings.put({ expect: -1, document: "{}" }, scene.now()) },
    { name: "settings.latest", call: () => settings.latest(0) },
    { name: "settings.find", call: () => settings.find(1) },
    { name: "settings.history", call: () => settings.history() },
  ];
}

function callsOfBoard(scene: Scene, { board }: DeliveryStore): readonly MethodCall[] {
  if (board === undefined) return [];
  const process = processOf(scene, "each");
  const request = { process, share: 1, liveForMs: LONG_LIVE_MS, limit: 1 };
  return [
    { name: "board.beat", call: () => board.beat(request, scene.now()) },
    { name: "board.write", call: () => board.write([boardRow(scene.lane, 1)]) },
    { name: "board.leave", call: () => board.leave(process) },
  ];
}
