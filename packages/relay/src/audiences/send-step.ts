// Does one step of a sync: from the point that some destinations have reached, compares what they know with the current
// members, stores a bounded number of changes as messages with deliveries, and records the new point.

import type { DestinationId, MemberChange, SnapshotRange, AudienceRecord, EpochMs } from "@postrider/core";
import {
  erasedUpTo,
  snapshotOf,
  sentRange,
  advanceSync,
  audienceCall,
  audienceSource,
  encodeMessage,
  mapCall,
  signMessageId,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { CHANGES_PER_COMMIT, CHANGES_TRIES, FAULT_PAUSE_MS } from "../limits.js";
import { createDiff, type Diff, snapshotPages } from "./pages.js";
import type { SyncLeaseFault, StepTask, StoreTask } from "./sync-task.js";
import { usersToNotify } from "./requests.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { Draft } from "../intake/reserve.js";

/** `outdated`: a request about users came meanwhile. The step has to be repeated once that request is carried out. */
type StepFault = SyncLeaseFault | { readonly code: "stopped" } | { readonly code: "outdated" };

/** `waits`: the next change is about a user whose notices must be stored first. */
export type StepEnd = "sent" | "waits";

/** Does one step for destinations with equal snapshots. */
export async function sendStep(
  task: StepTask,
  destinations: readonly DestinationId[],
): Promise<Result<StepEnd, StepFault>> {
  const record = task.lease.record();
  const { running } = record;
  const [first] = destinations;
  if (running?.kind !== "sending" || first === undefined) return ok("sent");
  const diff = diffFor(task.storage, snapshotOf(record, first).parts, running.set);
  const asOf = erasedUpTo(record);
  const toNotify = await usersToNotify(task.storage, asOf);
  if (toNotify.isErr()) return err(toNotify.error);
  const step = await sendUpTo(task, { destinations, asOf, toNotify: toNotify.value }, diff);
  if (step.isErr()) return err(step.error);
  const { end, upTo } = step.value;
  if (end === "waits" && upTo === null) return ok(end);
  const advanced = await task.lease.change((latest) => advanceSync(latest, { destinations, upTo, asOf }));
  return advanced.andThen((latest) => (erasedUpTo(latest) === asOf ? ok(end) : err({ code: "outdated" } as const)));
}

/** Compares what the destinations know with the current members, from the point that the sync has reached. */
function diffFor(storage: AudienceStorage, parts: readonly SnapshotRange[], set: string): Diff {
  const after = sentRange(parts, set)?.upTo ?? undefined;
  return createDiff(snapshotPages(storage, parts, after), snapshotPages(storage, [{ set, upTo: null }], after));
}

type StepTarget = Omit<ChangesToSend, "changes">;

type BatchTask = StoreTask & Pick<StepTask, "bounds">;

interface SentStep {
  readonly end: StepEnd;
  /** The destinations have all changes up to this user. Null: all changes, or none if the step waits. */
  readonly upTo: string | null;
}

async function sendUpTo(
  task: BatchTask & Pick<StepTask, "onCompared">,
  { toNotify, ...target }: StepTarget & { readonly toNotify: ReadonlySet<string> },
  diff: Diff,
): Promise<Result<SentStep, StepFault>> {
  const batch = createChangeBatch(task, target);
  for (;;) {
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    const step = await diff(batch.capacityLeft());
    if (step.isErr()) return err(step.error);
    const { changes, currentCount, isEnd } = step.value;
    task.onCompared(currentCount * target.destinations.length);
    const sendable = sendableOf(changes, toNotify);
    const mustWait = sendable.length < changes.length;
    batch.add(sendable);
    const isOver = mustWait || isEnd || batch.isAtBound();
    const outcome = isOver || batch.isFull() ? await batch.send() : ok(undefined);
    if (outcome.isErr()) return err(outcome.error);
    if (isOver) return ok(endOf(batch, { mustWait, isEnd }));
    await task.work.yieldIfLong();
  }
}

/** The changes before the first one about a user whose notices are not all stored yet. */
function sendableOf(changes: readonly MemberChange[], toNotify: ReadonlySet<string>): readonly MemberChange[] {
  const first = toNotify.size === 0 ? -1 : changes.findIndex(({ userId }) => toNotify.has(userId));
  return first === -1 ? changes : changes.slice(0, first);
}

function endOf(
  batch: ChangeBatch,
  { mustWait, isEnd }: { readonly mustWait: boolean; readonly isEnd: boolean },
): SentStep {
  if (mustWait) return { end: "waits", upTo: batch.reached() };
  return { end: "sent", upTo: isEnd ? null : batch.reached() };
}

/** The changes of a step, collected for commits. */
interface ChangeBatch {
  /** The number of further changes that may be added before `send`, within the bound of the step. */
  capacityLeft(): number;
  /** True if there are enough changes for a commit. */
  isFull(): boolean;
  /** True if the step has reached its bound. */
  isAtBound(): boolean;
  add(changes: readonly MemberChange[]): void;
  send(): Promise<Result<void, ChangesFault>>;
  /** The user whose change was stored last; null if none was stored. */
  reached(): string | null;
}

function createChangeBatch(task: BatchTask, target: StepTarget): ChangeBatch {
  const atOnce = Math.max(1, Math.floor(CHANGES_PER_COMMIT / target.destinations.length));
  let pending: MemberChange[] = [];
  let stepCapacity = task.bounds.stepChanges;
  let reached: string | null = null;
  return {
    capacityLeft: () => Math.min(atOnce - pending.length, stepCapacity),
    isFull: () => pending.length >= atOnce,
    isAtBound: () => stepCapacity <= 0,
    add: (changes): void => {
      pending.push(...changes);
      stepCapacity -= changes.length;
    },
    send: async () => {
      const changes = pending;
      pending = [];
      reached = changes.at(-1)?.userId ?? reached;
      return changes.length === 0 ? ok(undefined) : storeChanges(task, { ...target, changes });
    },
    reached: () => reached,
  };
}

interface ChangesToSend {
  readonly destinations: readonly DestinationId[];
  readonly changes: readonly MemberChange[];
  /** The number of the last request about users that these changes take into account. */
  readonly asOf: number;
}

/** `outdated`: there is a later request about users, and nothing was stored. `stopped`: there was a stop before the first try. */
type ChangesFault = SyncLeaseFault | { readonly code: "outdated" | "stopped" };

/** The faults after which no further try can succeed. */
const ENDING: ReadonlySet<ChangesFault["code"]> = new Set(["corrupt", "outdated", "sync-running", "unknown-audience"]);

/**
 * Resolves once all the changes are stored. A commit that failed is tried again: the messageIds are derived from the
 * changes, so that a repeat stores nothing twice.
 */
async function storeChanges(task: StoreTask, toSend: ChangesToSend): Promise<Result<void, ChangesFault>> {
  const { lease, work } = task;
  let fault: ChangesFault = { code: "stopped" };
  for (let tries = 0; tries < CHANGES_TRIES && work.shouldContinue(); tries += 1) {
    if (tries > 0) await work.pause(FAULT_PAUSE_MS);
    const held = await lease.hold();
    const result = held.isErr() ? err(held.error) : await storeOnce(task, lease.record(), toSend);
    if (result.isOk()) return ok(undefined);
    fault = result.error;
    if (ENDING.has(fault.code)) break;
  }
  return err(fault);
}

async function storeOnce(
  { clock, queue }: Pick<StoreTask, "clock" | "queue">,
  record: AudienceRecord,
  { destinations, changes, asOf }: ChangesToSend,
): Promise<Result<void, ChangesFault>> {
  const nowMs = clock.wall();
  const drafts = changes.flatMap((change) =>
    destinations.map((destination) => writeDraft(record, { change, destination, asOf }, nowMs)),
  );
  const results = await queue.enqueue(drafts);
  if (results.isErr()) return err(results.error);
  return results.value.some(({ kind }) => kind === "outdated") ? err({ code: "outdated" }) : ok(undefined);
}

interface ChangeForDestination {
  readonly change: MemberChange;
  readonly destination: DestinationId;
  readonly asOf: number;
}

/** Writes one change for one destination: each destination gets a separate message. */
function writeDraft(record: AudienceRecord, { change, destination, asOf }: ChangeForDestination, now: EpochMs): Draft {
  const call = audienceCall(record, change);
  const messageId = signMessageId(record.id, [String(record.syncs), change.userId, destination]);
  const body = encodeMessage(mapCall({ call, messageId, timestamp: now, receivedAt: now }));
  const message: Draft["message"] = {
    source: audienceSource(record.key),
    messageId,
    type: call.type,
    receivedAt: now,
    userIds: [change.userId],
    asOf,
    body,
    filtered: [],
  };
  return { message, destinations: [destination] };
}
