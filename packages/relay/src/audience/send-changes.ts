// Sends destinations their changes, step by step (decision: audiences). A step starts at the recorded point of its
// destinations, and ends by recording the new point. Nothing is in memory between two steps, so that a resumed sync
// continues like a sync that never stopped.

import type { AudienceRecord, DestinationId } from "@postrider/core";
import { snapshotOf, skipDestinations } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { FULL_LANE_PAUSE_MS } from "../limits.js";
import type { SyncLease, SyncLeaseFault } from "./sync-lease.js";
import type { SendTask, StepTask } from "./sync-task.js";
import { eraseUsers } from "./erase-users.js";
import type { EraseFault } from "./erase-fault.js";
import { type StepEnd, sendStep } from "./send-step.js";

export type SendFault = SyncLeaseFault | EraseFault;

/**
 * Resolves once the changes for all destinations are stored. A destination with a full lane waits, while changes for
 * the others are stored. Destinations with equal snapshots are sent in the same commits.
 */
export async function sendAll(task: SendTask): Promise<Result<void, SendFault>> {
  for (let left = leftOf(task.lease); left.length > 0; left = leftOf(task.lease)) {
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    if (task.lease.isLost()) return err({ code: "sync-running" });
    const off = left.filter((destination) => !task.destinations.isOn(destination));
    const step = off.length > 0 ? await skipDisabled(task.lease, off) : await sendNext(task, left);
    if (step.isErr()) return err(step.error);
  }
  return ok(undefined);
}

/**
 * Repeats the last step of each destination, when a process resumes a sync: the stored changes may be one step ahead of
 * the recorded point. Includes destinations that are off by now, since only the repeat makes certain what a destination
 * knows.
 */
export async function repeatLastSteps(task: StepTask): Promise<Result<void, SendFault>> {
  for (const destination of leftOf(task.lease)) {
    const sent = await repeatUntilNotErased(task, destination);
    if (sent.isErr()) return sent;
  }
  return ok(undefined);
}

/**
 * Repeats a step until no request about users comes during it. `blocked` also ends the repetition: the earlier process
 * was blocked at the same user.
 */
async function repeatUntilNotErased(task: StepTask, destination: DestinationId): Promise<Result<void, SendFault>> {
  while (task.work.shouldContinue()) {
    const sent = await sendOrErase(task, [destination]);
    if (sent.isErr()) return err(sent.error);
    if (sent.value !== "erased") return ok(undefined);
  }
  return err({ code: "stopped" });
}

async function sendNext(task: SendTask, left: readonly DestinationId[]): Promise<Result<void, SendFault>> {
  const ready = left.filter((destination) => task.destinations.hasRoom(destination));
  const [first] = ready;
  const sent =
    first === undefined ? ok("blocked") : await sendOrErase(task, likeFirst(task.lease.record(), first, ready));
  if (sent.isErr()) return err(sent.error);
  if (sent.value === "blocked") await task.work.pause(FULL_LANE_PAUSE_MS);
  return ok(undefined);
}

/**
 * `erased`: a request about users came during the step. The request is carried out now, and the step has to be
 * repeated.
 */
async function sendOrErase(
  task: StepTask,
  destinations: readonly DestinationId[],
): Promise<Result<StepEnd | "erased", SendFault>> {
  const sent = await sendStep(task, destinations);
  if (sent.isOk()) return ok(sent.value);
  const { error: fault } = sent;
  if (fault.code !== "outdated") return err(fault);
  const erased = await eraseUsers(task, task.lease.record().key);
  if (erased.isErr()) return err(erased.error);
  const seen = await task.lease.change((record) => record);
  return seen.map(() => "erased");
}

async function skipDisabled(
  lease: SyncLease,
  destinations: readonly DestinationId[],
): Promise<Result<void, SendFault>> {
  const left = await lease.change((record) => skipDestinations(record, destinations));
  return left.map(() => undefined);
}

function leftOf(lease: SyncLease): readonly DestinationId[] {
  const { running } = lease.record();
  return running?.kind === "sending" ? running.left : [];
}

/** The ready destinations whose snapshot is equal to that of `first`. */
function likeFirst(
  record: AudienceRecord,
  first: DestinationId,
  ready: readonly DestinationId[],
): readonly DestinationId[] {
  const known = JSON.stringify(snapshotOf(record, first).parts);
  return ready.filter((destination) => JSON.stringify(snapshotOf(record, destination).parts) === known);
}
