// Tells destinations what has changed for them, stint by stint (decision: audiences). A stint begins where its destinations
// have heard the sync to, and ends by keeping how far they have heard it now; between two stints nothing is held in memory,
// so that a sync which is taken up again goes on just like one that never stopped. A destination without room in its lane
// waits, and the others go on; those that know the same are told together.

import { type AudienceRecord, type DestinationId, knownTo, leaveBehind } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { ROOM_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { HoldFault } from "./sync-lease.js";
import type { SendingTask, SyncTask } from "./sync-task.js";
import { eraseUsers } from "./erase-users.js";
import type { EraseFault } from "./erasing.js";
import { type StintEnd, tellStint } from "./send-step.js";

export type TellFault = HoldFault | EraseFault;

/** Resolves once everyone has heard. */
export async function tellAll(task: SendingTask): Promise<Result<void, TellFault>> {
  for (let left = leftOf(task); left.length > 0; left = leftOf(task)) {
    if (!task.mayGoOn()) return err({ code: "stopped" });
    if (task.hold.isLost()) return err({ code: "sync-running" });
    const off = left.filter((destination) => !task.context.settings.isOn(destination));
    const step = off.length > 0 ? await leave(task, off) : await tellNext(task, left);
    if (step.isErr()) return err(step.error);
  }
  return ok(undefined);
}

/**
 * What was stored for a destination may be a stint ahead of what was kept of it. Whoever takes a sync up closes that gap
 * first, even where a destination is off by now: only then is it known what it knows.
 */
export async function tellAgain(task: SendingTask): Promise<Result<void, TellFault>> {
  for (const destination of leftOf(task)) {
    const told = await tellUntilTold(task, destination);
    if (told.isErr()) return told;
  }
  return ok(undefined);
}

/** What is blocked was not told before either. */
async function tellUntilTold(task: SendingTask, destination: DestinationId): Promise<Result<void, TellFault>> {
  while (task.mayGoOn()) {
    const told = await tellOrErase(task, [destination]);
    if (told.isErr()) return err(told.error);
    if (told.value !== "erased") return ok(undefined);
  }
  return err({ code: "stopped" });
}

async function tellNext(task: SendingTask, left: readonly DestinationId[]): Promise<Result<void, TellFault>> {
  const ready = left.filter((destination) => hasRoom(task, destination));
  const [first] = ready;
  const told =
    first === undefined ? ok("blocked") : await tellOrErase(task, likeFirst(task.hold.record(), first, ready));
  if (told.isErr()) return err(told.error);
  if (told.value === "blocked") await pause(task.context.clock, ROOM_PAUSE_MS);
  return ok(undefined);
}

/** `erased`: a request about users has overtaken the stint; it is carried out now, and the stint has to begin anew. */
async function tellOrErase(
  task: SendingTask,
  destinations: readonly DestinationId[],
): Promise<Result<StintEnd | "erased", TellFault>> {
  const told = await tellStint(task, destinations);
  if (told.isOk()) return ok(told.value);
  const { error: fault } = told;
  if (fault.code !== "outdated") return err(fault);
  const erased = await eraseUsers(task, task.hold.record().key);
  if (erased.isErr()) return err(erased.error);
  const seen = await task.hold.change((record) => record);
  return seen.map(() => "erased");
}

async function leave(task: SyncTask, destinations: readonly DestinationId[]): Promise<Result<void, TellFault>> {
  const left = await task.hold.change((record) => leaveBehind(record, destinations));
  return left.map(() => undefined);
}

function leftOf({ hold }: SyncTask): readonly DestinationId[] {
  const { running } = hold.record();
  return running?.kind === "sending" ? running.left : [];
}

function hasRoom({ context, bounds }: SyncTask, destination: DestinationId): boolean {
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
