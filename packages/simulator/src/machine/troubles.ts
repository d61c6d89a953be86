// The stores that suffer from the active troubles: they are slow, late, busy, full or unavailable.

import {
  type Clock,
  createStoreError,
  type Random,
  type StoreError,
  type StoreErrorCode,
  type Changes,
  type DeletionStore,
  type DeliveryStore,
  type Hints,
  type LaneBoard,
  type Outbox,
  type RecordStore,
  type AudienceStore,
} from "@postrider/core";
import type { CrashStep } from "../simulation.js";
import { type Access, type ActiveTroubles, drawFault, drawLatency, killIfDue } from "./active-troubles.js";

interface PerformOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly troubles: ActiveTroubles;
  /** The number of the calling process. */
  readonly process: number;
  readonly isAlive: () => boolean;
}

/** The most deliveries of a page of a list: few, so that a replay job has several pages. */
const PAGE_DELIVERIES = 7;

interface Operation<T> {
  readonly access: Access;
  readonly work: () => Promise<T>;
  /** The steps before and after the operation takes effect, at which a process may be killed. */
  readonly steps?: readonly [asked: CrashStep, done: CrashStep];
}

/** Performs an operation, or rejects. */
type Perform = <T>(operation: Operation<T>) => Promise<T>;

/** Creates the means to perform operations for one process. */
export function createPerform(options: PerformOptions): Perform {
  const { clock, random } = options;

  function perform<T>(operation: Operation<T>): Promise<T> {
    const [askedStep, doneStep] = operation.steps ?? [];
    if (askedStep !== undefined && killIfDue(options, askedStep)) return never();
    const fault = drawFault(options, operation.access);
    const takesMs = drawLatency(options, operation.access);
    if (fault !== undefined) return reject(operation, fault, takesMs);
    const act = random.unit() < 0.5 ? actFirst : actLast;
    return act(operation.work, doneStep, takesMs);
  }

  async function actFirst<T>(work: () => Promise<T>, doneStep: CrashStep | undefined, takesMs: number): Promise<T> {
    const answer = await work();
    if (doneStep !== undefined && killIfDue(options, doneStep)) return never();
    await wait(clock, takesMs);
    return answer;
  }

  async function actLast<T>(work: () => Promise<T>, doneStep: CrashStep | undefined, takesMs: number): Promise<T> {
    await wait(clock, takesMs);
    if (!options.isAlive()) return never();
    const answer = await work();
    return doneStep !== undefined && killIfDue(options, doneStep) ? never() : answer;
  }

  /** Fails at the end of the latency. If the code is `unavailable`, the operation may have taken effect. */
  async function reject<T>({ work }: Operation<T>, code: StoreErrorCode, takesMs: number): Promise<T> {
    await wait(clock, takesMs);
    if (code === "unavailable" && random.unit() < 0.5 && options.isAlive()) await work();
    throw simulatedError(code);
  }

  return perform;
}

function wait(clock: Clock, ms: number): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function never<T>(): Promise<T> {
  return new Promise<T>(nothing);
}

function nothing(): void {
  // The process has died: there is no caller to answer.
}

function simulatedError(code: StoreErrorCode): StoreError {
  return createStoreError(code, `the simulated store is ${code}`);
}

/** Passes on a hint that has arrived, unless it is lost. */
export type PassOnHint = (passOn: () => void) => void;

/** The share of hints that are lost, and the longest time that one takes. */
const LOST_SHARE = 0.2;
const HINT_MS = 2_000;

/** The way of hints to a process. */
export function createHintWay({ clock, random }: Pick<PerformOptions, "clock" | "random">): PassOnHint {
  return (passOn) => {
    if (random.unit() >= LOST_SHARE) clock.after(Math.floor(random.unit() * HINT_MS), passOn);
  };
}

/** The same store, each of whose operations is performed by `perform`, and each of whose hints comes by `passOnHint`. */
export function createFallibleStore(store: DeliveryStore, perform: Perform, passOnHint: PassOnHint): DeliveryStore {
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
    list: (query) =>
      perform({ access: "reads", work: () => store.list({ ...query, limit: Math.min(query.limit, PAGE_DELIVERIES) }) }),
    seen: (query, now) => perform({ access: "reads", work: () => store.seen(query, now) }),
    counts: () => perform({ access: "reads", work: () => store.counts() }),
    sweep: (request, now) => perform({ access: "writes", work: () => store.sweep(request, now) }),
    ...(store.deletions === undefined ? {} : { deletions: fallibleDeletions(store.deletions, perform) }),
    ...(store.records === undefined ? {} : { records: fallibleRecords(store.records, perform) }),
    ...fallibleChanges(store, perform),
    ...(store.board === undefined ? {} : { board: fallibleBoard(store.board, perform) }),
    ...fallibleClock(store, perform),
    ...(store.outbox === undefined ? {} : { outbox: fallibleOutbox(store.outbox, perform) }),
    ...(store.hints === undefined ? {} : { hints: fallibleHints(store.hints, perform, passOnHint) }),
    close: () => store.close(),
  };
}

function fallibleChanges({ laneChanges }: DeliveryStore, perform: Perform): Pick<DeliveryStore, "laneChanges"> {
  if (laneChanges === undefined) return {};
  return { laneChanges: { read: (query) => perform({ access: "reads", work: () => laneChanges.read(query) }) } };
}

function fallibleClock({ clock }: DeliveryStore, perform: Perform): Pick<DeliveryStore, "clock"> {
  return clock === undefined
    ? {}
    : { clock: { wall: () => perform({ access: "tells-time", work: () => clock.wall() }) } };
}

function accessOf({ accept, replay }: Changes): Access {
  return accept.length + replay.length > 0 ? "grows" : "writes";
}

function fallibleOutbox(outbox: Outbox, perform: Perform): Outbox {
  return {
    add: (call, run) => outbox.add(call, run),
    read: (query) => perform({ access: "reads", work: () => outbox.read(query) }),
    count: (query) => perform({ access: "reads", work: () => outbox.count(query) }),
    remove: (ids) => perform({ access: "writes", work: () => outbox.remove(ids) }),
  };
}

function fallibleHints(hints: Hints, perform: Perform, passOnHint: PassOnHint): Hints {
  return {
    tell: (lanes) => perform({ access: "writes", work: () => hints.tell(lanes) }),
    listen: (onHint) => hints.listen((lanes) => passOnHint(() => onHint(lanes))),
  };
}

function fallibleBoard(board: LaneBoard, perform: Perform): LaneBoard {
  return {
    beat: (request, now) => perform({ access: "writes", work: () => board.beat(request, now) }),
    write: (rows) => perform({ access: "writes", work: () => board.write(rows) }),
    leave: (process) => perform({ access: "writes", work: () => board.leave(process) }),
  };
}

function fallibleRecords(records: RecordStore, perform: Perform, steps?: typeof STEPS): RecordStore {
  const stepsOption = steps === undefined ? {} : { steps };
  return {
    put: (record) =>
      perform({ access: record.revision === 1 ? "grows" : "writes", work: () => records.put(record), ...stepsOption }),
    find: (kind, key, above) => perform({ access: "reads", work: () => records.find(kind, key, above) }),
    list: (query) => perform({ access: "reads", work: () => records.list(query) }),
    remove: (kind, key) => perform({ access: "writes", work: () => records.remove(kind, key) }),
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

/** The most members that a read returns: few, so that small sets have several pages. */
const PAGE_MEMBERS = 7;
const STEPS = ["audience-asked", "audience-done"] as const;

/** The same store, each of whose operations is performed by `perform`. */
export function createFallibleAudiences(store: AudienceStore, perform: Perform): AudienceStore {
  return {
    records: fallibleRecords(store.records, perform, STEPS),
    append: (set, members) => perform({ access: "grows", work: () => store.append(set, members), steps: STEPS }),
    read: (set, after) =>
      perform({ access: "reads", work: async () => (await store.read(set, after)).slice(0, PAGE_MEMBERS) }),
    sets: (prefix) => perform({ access: "reads", work: () => store.sets(prefix) }),
    drop: (set) => perform({ access: "writes", work: () => store.drop(set), steps: STEPS }),
    erase: (set, userIds) => perform({ access: "writes", work: () => store.erase(set, userIds), steps: STEPS }),
    scrub: () => perform({ access: "writes", work: () => store.scrub() }),
    close: () => store.close(),
  };
}
