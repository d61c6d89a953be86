// Tells destinations what has changed for them, stint by stint (decision: audiences). A stint begins where its destinations
// have heard the sync to, and ends by keeping how far they have heard it now; between two stints nothing is held in memory,
// so that a sync which is taken up again goes on just like one that never stopped. A destination without room in its lane
// waits, and the others go on; those that know the same are told together.

import { type AudienceRecord, type DestinationId, knownTo, leaveBehind } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { FULL_LANE_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { SyncLeaseFault } from "./sync-lease.js";
import type { SendingTask, SyncTask } from "./sync-task.js";
import { eraseUsers } from "./erase-users.js";
import type { EraseFault } from "./erasing.js";
import { type StepEnd, sendStep } from "./send-step.js";

export type SendFault = SyncLeaseFault | EraseFault;

/** Resolves once everyone has heard. */
export async function sendAll(task: SendingTask): Promise<Result<void, SendFault>> {
  for (let left = leftOf(task); left.length > 0; left = leftOf(task)) {
    if (!task.shouldContinue()) return err({ code: "stopped" });
    if (task.lease.isLost()) return err({ code: "sync-running" });
    const off = left.filter((destination) => !task.context.settings.isOn(destination));
    const step = off.length > 0 ? await leave(task, off) : await sendNext(task, left);
    if (step.isErr()) return err(step.error);
  }
  return ok(undefined);
}

/**
 * What was stored for a destination may be a stint ahead of what was kept of it. Whoever takes a sync up closes that gap
 * first, even where a destination is off by now: only then is it known what it knows.
 */
export async function sendAgain(task: SendingTask): Promise<Result<void, SendFault>> {
  for (const destination of leftOf(task)) {
    const told = await sendUntilSent(task, destination);
    if (told.isErr()) return told;
  }
  return ok(undefined);
}

/** What is blocked was not told before either. */
async function sendUntilSent(task: SendingTask, destination: DestinationId): Promise<Result<void, SendFault>> {
  while (task.shouldContinue()) {
    const told = await sendOrErase(task, [destination]);
    if (told.isErr()) return err(told.error);
    if (told.value !== "erased") return ok(undefined);
  }
  return err({ code: "stopped" });
}

async function sendNext(task: SendingTask, left: readonly DestinationId[]): Promise<Result<void, SendFault>> {
  const ready = left.filter((destination) => hasCapacity(task, destination));
  const [first] = ready;
  const told =
    first === undefined ? ok("blocked") : await sendOrErase(task, likeFirst(task.lease.record(), first, ready));
  if (told.isErr()) return err(told.error);
  if (told.value === "blocked") await pause(task.context.clock, FULL_LANE_PAUSE_MS);
  return ok(undefined);
}

/** `erased`: a request about users has overtaken the stint; it is carried out now, and the stint has to begin anew. */
async function sendOrErase(
  task: SendingTask,
  destinations: readonly DestinationId[],
): Promise<Result<StepEnd | "erased", SendFault>> {
  const told = await sendStep(task, destinations);
  if (told.isOk()) return ok(told.value);
  const { error: fault } = told;
  if (fault.code !== "outdated") return err(fault);
  const erased = await eraseUsers(task, task.lease.record().key);
  if (erased.isErr()) return err(erased.error);
  const seen = await task.lease.change((record) => record);
  return seen.map(() => "erased");
}

async function leave(task: SyncTask, destinations: readonly DestinationId[]): Promise<Result<void, SendFault>> {
  const left = await task.lease.change((record) => leaveBehind(record, destinations));
  return left.map(() => undefined);
}

function leftOf({ lease }: SyncTask): readonly DestinationId[] {
  const { running } = lease.record();
  return running?.kind === "sending" ? running.left : [];
}

function hasCapacity({ context, bounds }: SyncTask, destination: DestinationId): boolean {
  return context.lanes.lane(destination).deliveries < bounds.laneDeliveries;
}

/** Those that know the same as the first. */
function likeFirst(
  record: AudienceRecord,
  first: DestinationId,
  ready: readonly DestinationId[],
): readonly DestinationId[] {
  const known = JSON.stringify(knownTo(record, first).parts);
  return ready.filter((destination) => JSON.stringify(knownTo(record, destination).parts) === known);
}
