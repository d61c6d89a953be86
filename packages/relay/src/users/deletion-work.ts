// Carries deletion requests out, step by step, in the process that is on duty: at start those that an earlier process left
// unfinished, then new ones at once, and at intervals those that other processes accepted, and those of which a step
// failed. Core decides from the record which step is next; any process can repeat a step without harm.

import { type Clock, type DeletionId, type DeletionRecord, effectsOf, nextStep } from "@postrider/core";
import { defined, pauseFor } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { AudienceStorage } from "../audiences/audience-storage.js";
import type { MessageQueue } from "../intake/enqueue.js";
import type { EmitEvent } from "../relay-event.js";
import type { Duty } from "../fleet/lane-sync.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage, AskDeletions } from "../commits/storage.js";
import { DELETIONS_EVERY_MS, SLICE_PAUSE_MS, DELETIONS_AT_ONCE, DELIVERIES_PER_SLICE } from "../limits.js";
import { createLoop } from "../loop.js";
import {
  type DeletionTask,
  type EraseTask,
  type FinishTask,
  type NotifyTask,
  type PurgeTask,
  eraseEverywhere,
  isLeftNowhere,
  storeNotices,
} from "./erase-everywhere.js";
import type { StoreFault } from "../fault.js";
import { untilDone } from "../maintenance/slices.js";

/** The loop that carries out deletion requests. */
interface DeletionLoop {
  start(): void;
  /** To be called when there may be a request to carry out. */
  readonly wake: () => void;
  /** Begins no further step, and resolves once the step under way has ended. The next process does the rest. */
  stop(): Promise<void>;
}

interface DeletionLoopContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly duty: Pick<Duty, "isMine">;
  readonly settings: SettingsInForce;
  readonly queue: MessageQueue;
  readonly emit: EmitEvent;
  /** The storage of audiences; undefined if this relay has no audience store. */
  readonly audiences: AudienceStorage | undefined;
}

export function createDeletionLoop(context: DeletionLoopContext): DeletionLoop {
  const { clock, storage, duty, settings, queue, emit, audiences } = context;
  const loop = createLoop(clock, takeTurn);
  const shouldContinue = (): boolean => !loop.isStopped();
  const ask = storage.askDeletions;
  const task: DeletionTask | undefined = ask && {
    clock,
    ask,
    settings,
    queue,
    emit,
    shouldContinue,
    ...defined({ audiences }),
  };

  async function takeTurn(): Promise<number | undefined> {
    if (task === undefined) return undefined;
    if (!duty.isMine() || !(await carryOutAll(task))) return DELETIONS_EVERY_MS;
    // The pause is part of the turn, so that a wake does not shorten the pause.
    await pauseFor(clock, SLICE_PAUSE_MS);
    loop.wake();
    return undefined;
  }

  return loop;
}

/**
 * Does one step of each unfinished request, the oldest first, so that one with many users does not delay the others. Of
 * more than `DELETIONS_AT_ONCE`, only the newest get a step. Returns whether further steps should follow at once.
 */
async function carryOutAll(task: DeletionTask): Promise<boolean> {
  let isMore = false;
  for (const id of await findUnfinished(task.ask)) {
    if (!task.shouldContinue()) return false;
    const progress = await carryOut(task, id).then((done) => done.match(identity, afterFault));
    if (progress === "stop") return false;
    isMore ||= progress === "more";
  }
  return isMore;
}

async function findUnfinished(ask: AskDeletions): Promise<readonly DeletionId[]> {
  const page = await ask((deletions) => deletions.list({ unfinished: true, limit: DELETIONS_AT_ONCE }));
  return page.match(
    ({ deletions }) => deletions.map(({ id }) => id).toReversed(),
    () => [],
  );
}

function identity(progress: CarryOutProgress): CarryOutProgress {
  return progress;
}

/** A full store stores no notices, but users of other requests can be purged, which frees space. */
function afterFault({ code }: StoreFault): CarryOutProgress | "stop" {
  return code === "full" ? "later" : "stop";
}

/** `more`: the next step can follow at once. `later`: it has to be tried again after a delay. */
type CarryOutProgress = "done" | "more" | "later";

/** Does the next step of a request. */
async function carryOut(task: DeletionTask, id: DeletionId): Promise<Result<CarryOutProgress, StoreFault>> {
  const record = await task.ask((deletions) => deletions.find(id));
  return record.isErr() ? err(record.error) : takeStep(task, record.value);
}

async function takeStep(
  task: DeletionTask,
  record: DeletionRecord | undefined,
): Promise<Result<CarryOutProgress, StoreFault>> {
  if (record === undefined) return ok("done");
  switch (nextStep(record)) {
    case "purge":
      return purge(task, record.id);
    case "notify":
      return eraseAndNotify(task, record);
    case "finish":
      return eraseAndFinish(task, record);
    case "none":
      return ok("done");
  }
}

async function purge(
  { clock, ask, emit, shouldContinue }: PurgeTask,
  id: DeletionId,
): Promise<Result<CarryOutProgress, StoreFault>> {
  const slice = () =>
    ask((deletions) => deletions.purge({ id, limit: DELIVERIES_PER_SLICE }, clock.wall())).map(({ isDone }) => isDone);
  const purged = await untilDone(clock, slice, shouldContinue);
  if (purged.isOk() && purged.value) await emitPurged(emit, ask, id);
  return purged.map(() => "more");
}

async function emitPurged(emit: EmitEvent, ask: AskDeletions, id: DeletionId): Promise<void> {
  const record = await ask((deletions) => deletions.find(id));
  if (record.isOk() && record.value !== undefined)
    emit({ kind: "purged", deletion: id, deliveries: record.value.purged });
}

/**
 * Erases the users from all audiences, then stores notices: no notice is stored before it is certain that no sync sends
 * changes of these users again.
 */
async function eraseAndNotify(
  task: EraseTask & NotifyTask,
  record: DeletionRecord,
): Promise<Result<CarryOutProgress, StoreFault>> {
  const erased = await eraseEverywhere(task, record.number);
  if (erased.isErr() || !erased.value) return erased.map(() => "later");
  return (await storeNotices(task, record)).map(() => "more");
}

/**
 * Erases the users once more, since a sync that began before the request may have added some of them meanwhile. Answers
 * `later` until no audience has any of these users.
 */
async function eraseAndFinish(
  task: EraseTask & FinishTask,
  record: DeletionRecord,
): Promise<Result<CarryOutProgress, StoreFault>> {
  if (!effectsOf(record.regulation).purges) return finish(task, record.id);
  const erased = await eraseEverywhere(task, record.number);
  const leftNowhere = erased.isOk() && erased.value ? await isLeftNowhere(task, record.number) : erased;
  return leftNowhere.isOk() && leftNowhere.value ? finish(task, record.id) : leftNowhere.map(() => "later");
}

async function finish({ clock, ask, emit }: FinishTask, id: DeletionId): Promise<Result<CarryOutProgress, StoreFault>> {
  const finished = await ask((deletions) => deletions.finish(id, clock.wall()));
  if (finished.isOk() && finished.value) emit({ kind: "deletion-finished", deletion: id });
  return finished.map((isFinished) => (isFinished ? "done" : "later"));
}
