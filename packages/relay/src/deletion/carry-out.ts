// Does the next step of a deletion request: core decides from the record of the request which step is next. Any process
// can repeat a step without harm.

import { type DeletionId, type DeletionRecord, effectsOf, nextStep } from "@postrider/core";
import { ok, type Result } from "neverthrow";
import type { EmitEvent } from "../relay-event.js";
import { DELIVERIES_PER_SLICE } from "../limits.js";
import type { AskDeletions } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { untilDone } from "../maintenance/until-done.js";
import { eraseEverywhere, isLeftNowhere } from "./erase-everywhere.js";
import { storeNotices } from "./notify.js";
import type { EraseTask, FinishTask, NotifyTask, PurgeTask, Task } from "./task.js";

/** `more`: the next step can follow at once. `later`: it has to be tried again after a delay. */
export type CarryOutProgress = "done" | "more" | "later";

/** Does the next step of a request. */
export async function carryOut(task: Task, id: DeletionId): Promise<Result<CarryOutProgress, StoreFault>> {
  const found = await task.ask((deletions) => deletions.find(id));
  return found.isErr() ? found.map(() => "later") : takeStep(task, found.value);
}

async function takeStep(task: Task, record: DeletionRecord | undefined): Promise<Result<CarryOutProgress, StoreFault>> {
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
  const found = await ask((deletions) => deletions.find(id));
  if (found.isOk() && found.value !== undefined) emit({ kind: "purged", deletion: id, deliveries: found.value.purged });
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
  const isGone = erased.isOk() && erased.value ? await isLeftNowhere(task, record.number) : erased;
  return isGone.isOk() && isGone.value ? finish(task, record.id) : isGone.map(() => "later");
}

async function finish({ clock, ask, emit }: FinishTask, id: DeletionId): Promise<Result<CarryOutProgress, StoreFault>> {
  const finished = await ask((deletions) => deletions.finish(id, clock.wall()));
  if (finished.isOk() && finished.value) emit({ kind: "deletion-finished", deletion: id });
  return finished.map((isFinished) => (isFinished ? "done" : "later"));
}
