// Calls each method of a store, for cases that concern every method, and makes a commit with a part of each kind. The
// calls are not wrapped in a promise, so that an error thrown synchronously reaches the case.

import { type Changes, deletionId, type DeliveryId, type DeliveryStore, NO_COUNTS } from "@postrider/core";
import { boardRow, LONG_LIVE_MS, processOf } from "./board-scene.js";
import { newRecord } from "../record-store/scene.js";
import { LEASE_MS, type Scene } from "./scene.js";
import { expectEqual, toPlainJson } from "../check.js";
import { attempt, claimedDelivery, DELIVERED, waitingDelivery } from "./samples.js";

export interface MethodCall {
  readonly name: string;
  readonly call: () => Promise<unknown>;
}

/** Calls of every method but `close`, one or two of each. */
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
    ...callsOfRecords(scene, store),
    ...callsOfLaneChanges(store),
    ...callsOfBoard(scene, store),
    ...callsOfOutbox(scene, store),
    ...callsOfHints(scene, store),
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

function callsOfRecords(scene: Scene, { records }: DeliveryStore): readonly MethodCall[] {
  if (records === undefined) return [];
  const record = newRecord(scene);
  const { kind, key } = record;
  return [
    { name: "records.put", call: () => records.put(record) },
    { name: "records.find", call: () => records.find(kind, key) },
    { name: "records.list", call: () => records.list({ kind, limit: 1 }) },
    { name: "records.remove", call: () => records.remove(kind, key) },
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

/** Without `add`, which runs in a transaction of a host and not in the store. */
function callsOfOutbox({ source }: Scene, { outbox }: DeliveryStore): readonly MethodCall[] {
  if (outbox === undefined) return [];
  return [
    { name: "outbox.read", call: () => outbox.read({ limit: 1 }) },
    { name: "outbox.count", call: () => outbox.count({ source, limit: 1 }) },
    { name: "outbox.remove", call: () => outbox.remove([]) },
  ];
}

function callsOfHints({ lane }: Scene, { hints }: DeliveryStore): readonly MethodCall[] {
  return hints === undefined ? [] : [{ name: "hints.tell", call: () => hints.tell([lane]) }];
}

export interface WholeCommit {
  readonly changes: Pick<Changes, "accept" | "settle" | "replay" | "append">;
  /** True if all of it is there, false if nothing is; throws if a part is. */
  readonly isThere: () => Promise<boolean>;
  /** Expects that all of it is there if `expected` is true, otherwise that nothing is. */
  readonly expectThere: (expected: boolean, when: string) => Promise<void>;
}

/** Prepares the commit in a scene that has nothing else. */
export async function prepareWholeCommit(scene: Scene): Promise<WholeCommit> {
  const finishedId = await scene.finish(DELIVERED);
  const claimedId = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
  const token = scene.commitToken();
  const deliveries = [waitingDelivery(scene.lane, scene.now()), waitingDelivery(scene.otherLane, scene.now())];

  async function isThere(): Promise<boolean> {
    const view = JSON.stringify(toPlainJson(await viewOf(scene, { finishedId, claimedId })));
    if (view === ABSENT || view === WHOLE) return view === WHOLE;
    throw new Error(`a part of a commit is there\n  nothing:  ${ABSENT}\n  all of it: ${WHOLE}\n  but saw:  ${view}`);
  }

  return {
    changes: {
      accept: [scene.message({ deliveries }), scene.message()],
      settle: [{ id: claimedId, token, outcome: DELIVERED, attempts: [attempt(scene.now())], endpoints: [] }],
      replay: [{ of: finishedId, start: { kind: "waiting", dueAt: scene.now() } }],
      append: [{ id: finishedId, attempt: attempt(scene.now()) }],
    },
    isThere,
    expectThere: async (expected, when) =>
      expectEqual(await isThere(), expected, `whether the commit is there ${when}`),
  };
}

const COUNTS_BEFORE = { accepted: 2, claimed: 1, delivered: 1, received: 2 };

const COUNTS_AFTER = { accepted: 6, waiting: 4, delivered: 2, received: 4 };

const ABSENT = JSON.stringify(
  toPlainJson({
    listed: 2,
    claimed: "claimed after 0",
    attemptsOfFinished: 0,
    counts: { ...NO_COUNTS, ...COUNTS_BEFORE },
  }),
);

const WHOLE = JSON.stringify(
  toPlainJson({
    listed: 6,
    claimed: "delivered after 1",
    attemptsOfFinished: 1,
    counts: { ...NO_COUNTS, ...COUNTS_AFTER },
  }),
);

async function viewOf(
  scene: Scene,
  { finishedId, claimedId }: { readonly finishedId: DeliveryId; readonly claimedId: DeliveryId },
): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 20 });
  const { state, attemptCount } = await scene.record(claimedId);
  const row = (await scene.store().counts()).find(({ source }) => source === scene.source);
  const counts = { ...NO_COUNTS, ...row, source: undefined };
  return {
    listed: deliveries.length,
    claimed: `${state} after ${String(attemptCount)}`,
    attemptsOfFinished: (await scene.record(finishedId)).attemptCount,
    counts,
  };
}
