// Makes the collected set the current one, and refuses to if too many members would leave without confirmation; after that
// a sync cannot be lost (decisions: erasure, guarded uploads). Then sends each destination its changes, step by step;
// nothing is in memory between two steps, so that a resumed sync continues like one that never stopped.

import type { SyncCounts, AudienceRecord, DestinationId } from "@postrider/core";
import {
  erasedUpTo,
  needsConfirmation,
  startSending,
  type CollectedSet,
  snapshotOf,
  skipDestinations,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { MAX_RACES, FULL_LANE_PAUSE_MS, COMPARED_AT_ONCE } from "../limits.js";
import type { SyncFault } from "./audiences.js";
import type { SortedRun } from "./collect.js";
import { eraseFromSet, eraseUsers } from "./erase-users.js";
import type { EraseFault } from "./audience-storage.js";
import { toRelayFault } from "../fault.js";
import { requestsWithin, type RequestNumberRange, usersOfDeletion } from "./requests.js";
import {
  toSyncFault,
  type SyncLease,
  type SyncLeaseFault,
  type PrepareTask,
  type SetTask,
  type SendTask,
  type StepTask,
  type CollectTask,
} from "./sync-task.js";
import { type StepEnd, sendStep } from "./send-step.js";
import { createDiff, setPages } from "./pages.js";

/** The dependencies of preparing a sync, without the bounds of merges. */
type BeginTask = Omit<PrepareTask, "bounds">;

/**
 * Begins to send the collected set. `confirmRemove` is the number of members that may leave, if the host has confirmed a
 * number.
 */
export async function beginSending(
  task: BeginTask,
  { set, memberCount }: SortedRun,
  confirmRemove: number | undefined,
): Promise<Result<void, SyncFault>> {
  let counts: SyncCounts | undefined;
  let members = memberCount;
  /** The number of the last request that is carried out in the new set. */
  let erased = sinceOf(task.lease);
  // Repeated only if a further request about users came meanwhile. The sets are compared only once: later erasures do
  // not change the counts.
  for (let race = 0; race < MAX_RACES; race += 1) {
    const erasure = await eraseLater(task, set, erased);
    if (erasure.isErr()) return err(toSyncFault(erasure.error));
    erased = erasure.value.upTo;
    members -= erasure.value.users;
    const compared: Result<SyncCounts, SyncFault> =
      counts === undefined ? await compare(task, { set, memberCount: members }, confirmRemove) : ok(counts);
    if (compared.isErr()) return err(compared.error);
    counts = compared.value;
    const outcome = await makeCurrent(task, { set, members, erased, ...counts });
    if (outcome.isErr()) return err(toSyncFault(outcome.error));
    if (outcome.value) return ok(undefined);
  }
  return err({ code: "unavailable" });
}

/** The number of the latest request about users when this sync began. */
function sinceOf(lease: SyncLease): number {
  const { running } = lease.record();
  return running?.kind === "collecting" ? running.since : 0;
}

/**
 * Carries out, in the new set, the requests after `since` up to the last one that is carried out in the other sets of
 * the audience. Returns the number of that last request, and how many users were removed.
 */
async function eraseLater(
  task: SetTask & Pick<BeginTask, "lease">,
  set: string,
  since: number,
): Promise<Result<{ readonly upTo: number; readonly users: number }, EraseFault>> {
  const record = await eraseUsers(task, task.lease.record().key);
  if (record.isErr()) return err(record.error);
  const range: RequestNumberRange = { after: since, upTo: erasedUpTo(record.value) };
  const requests = await requestsWithin(task.storage, range);
  if (requests.isErr()) return err(requests.error);
  let removedUsers = 0;
  for (const { id } of requests.value) {
    const users = await usersOfDeletion(task.storage, id);
    const erased = users.isOk() ? await eraseFromSet(task, set, users.value) : err(users.error);
    if (erased.isErr()) return err(erased.error);
    removedUsers += erased.value;
  }
  return ok({ upTo: range.upTo, users: removedUsers });
}

async function compare(
  task: CompareTask,
  run: SortedRun,
  confirmRemove: number | undefined,
): Promise<Result<SyncCounts, SyncFault>> {
  const compared = await compareWithPrevious(task, run);
  return compared.andThen(({ previousCount, ...counts }) => {
    const { entered, departed } = counts;
    if (!needsConfirmation({ members: previousCount, departed }, confirmRemove)) return ok(counts);
    return err({ code: "would-remove", members: run.memberCount, entered, departed } as const);
  });
}

/**
 * Makes the new set the current one, unless a further request about users came meanwhile. Returns whether it has done
 * so.
 */
async function makeCurrent(
  task: Pick<BeginTask, "lease" | "destinations">,
  collected: Omit<CollectedSet, "left">,
): Promise<Result<boolean, SyncLeaseFault>> {
  const { isOn } = task.destinations;
  const changed = await task.lease.change((record) =>
    startSending(record, { ...collected, left: record.destinations.filter((destination) => isOn(destination)) }),
  );
  return changed.map(({ running }) => running?.kind === "sending");
}

export type SendFault = SyncLeaseFault | EraseFault;

/**
 * Resolves once the changes for all destinations are stored. A destination with a full lane waits, while changes for
 * the others are stored. Destinations with equal snapshots are sent in the same commits.
 */
export async function sendAll(task: SendTask): Promise<Result<void, SendFault>> {
  for (let remaining = leftOf(task.lease); remaining.length > 0; remaining = leftOf(task.lease)) {
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    if (task.lease.isLost()) return err({ code: "sync-running" });
    const disabled = remaining.filter((destination) => !task.destinations.isOn(destination));
    const step = disabled.length > 0 ? await skipDisabled(task.lease, disabled) : await sendNext(task, remaining);
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
    const step = await repeatStep(task, destination);
    if (step.isErr()) return step;
  }
  return ok(undefined);
}

/**
 * Repeats a step until no request about users comes during it. `waits` also ends the repetition: the earlier process
 * waited at the same user.
 */
async function repeatStep(task: StepTask, destination: DestinationId): Promise<Result<void, SendFault>> {
  while (task.work.shouldContinue()) {
    const step = await sendOrErase(task, [destination]);
    if (step.isErr()) return err(step.error);
    if (step.value !== "erased") return ok(undefined);
  }
  return err({ code: "stopped" });
}

async function sendNext(task: SendTask, remaining: readonly DestinationId[]): Promise<Result<void, SendFault>> {
  const ready = remaining.filter((destination) => task.destinations.hasRoom(destination));
  const [first] = ready;
  const step =
    first === undefined ? ok("waits") : await sendOrErase(task, withSameSnapshot(task.lease.record(), first, ready));
  if (step.isErr()) return err(step.error);
  if (step.value === "waits") await task.work.pause(FULL_LANE_PAUSE_MS);
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
  const step = await sendStep(task, destinations);
  if (step.isOk()) return ok(step.value);
  const { error: fault } = step;
  if (fault.code !== "outdated") return err(fault);
  const erased = await eraseUsers(task, task.lease.record().key);
  if (erased.isErr()) return err(erased.error);
  const refreshed = await task.lease.renew();
  return refreshed.map(() => "erased");
}

async function skipDisabled(
  lease: SyncLease,
  destinations: readonly DestinationId[],
): Promise<Result<void, SendFault>> {
  const changed = await lease.change((record) => skipDestinations(record, destinations));
  return changed.map(() => undefined);
}

function leftOf(lease: SyncLease): readonly DestinationId[] {
  const { running } = lease.record();
  return running?.kind === "sending" ? running.left : [];
}

/** The ready destinations whose snapshot is equal to that of `first`. */
function withSameSnapshot(
  record: AudienceRecord,
  first: DestinationId,
  ready: readonly DestinationId[],
): readonly DestinationId[] {
  const snapshot = JSON.stringify(snapshotOf(record, first).parts);
  return ready.filter((destination) => JSON.stringify(snapshotOf(record, destination).parts) === snapshot);
}

interface Compared extends SyncCounts {
  /** The number of members after the previous sync. */
  readonly previousCount: number;
}

/** The dependencies of collecting, without the bounds of merges. */
type CompareTask = Omit<CollectTask, "bounds">;

/** Counts what a sync changes in its audience: each user once, regardless of what destinations know. */
async function compareWithPrevious(
  { lease, storage, work, progress }: CompareTask,
  { set, memberCount }: SortedRun,
): Promise<Result<Compared, SyncFault>> {
  const previousSet = lease.record().current;
  if (previousSet === undefined) return ok({ previousCount: 0, entered: memberCount, departed: 0, changed: 0 });
  const diff = createDiff(setPages(storage, previousSet), setPages(storage, set));
  const counts = { previousCount: 0, entered: 0, departed: 0, changed: 0 };
  for (let comparedMembers = 0; ;) {
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const step = await diff(COMPARED_AT_ONCE);
    if (step.isErr()) return err(toRelayFault(step.error));
    const { changes, previousCount, currentCount, isEnd } = step.value;
    for (const { kind } of changes) counts[kind] += 1;
    counts.previousCount += previousCount;
    comparedMembers += currentCount;
    progress({ phase: "comparing", done: comparedMembers, total: memberCount });
    if (isEnd) return ok(counts);
    await work.yieldIfLong();
  }
}
