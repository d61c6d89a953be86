// Runs the syncs of a relay: those that a host asks for, and those that an earlier process left unfinished, which are
// searched for at start and at intervals. Of an audience at most one runs at a time, over all processes; each step is
// recorded before the next one begins (decision: audiences).

import type { AudienceRecord, SyncReport } from "@postrider/core";
import {
  beginSync,
  isLeaseValid,
  releaseSync,
  resumeSync,
  endSync,
  setsOfSync,
  setPrefix,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { SYNCS_EVERY_MS } from "../limits.js";
import { createLoop, createLongWork } from "../loop.js";
import type { Members, SyncFault, SyncOptions } from "./audiences.js";
import type { AudienceContext } from "./audience-storage.js";
import {
  acquireSyncLease,
  type CollectTask,
  createProgress,
  createSyncDestinations,
  dropSets,
  dropUnusedSets,
  type EndTask,
  type PrepareTask,
  type SetTask,
  type SyncLease,
  type SyncTask,
  type TakeRecord,
  toSyncFault,
} from "./sync-task.js";
import { latestRequestNumber } from "./requests.js";
import { beginSending, repeatLastSteps, sendAll, type SendFault } from "./send.js";
import { collect, mergeRuns } from "./collect.js";

interface BegunSync {
  readonly key: string;
  /** The number of the latest request about users when the host asked for the sync. */
  readonly since: number;
}

interface Syncs {
  /**
   * Returns the number of the latest request about users. To be called when a host asks for a sync: the users of later
   * requests are not added again by that sync (decision: erasure).
   */
  begin(): Promise<Result<number, SyncFault>>;
  sync(begun: BegunSync, members: Members, options: SyncOptions): Promise<Result<SyncReport, SyncFault>>;
  /** Begins to search for unfinished syncs. */
  start(): void;
  /** Releases the syncs under way: the next process resumes those that were sending; the others are lost. */
  stop(): Promise<void>;
}

export function createSyncs(context: AudienceContext): Syncs {
  const { clock, settings, storage, bounds, queue, emit } = context;
  const loop = createLoop(clock, searchUnfinished);
  const destinations = createSyncDestinations(context);
  const collecting = new Set<SyncLease>();
  const sending = new Set<Promise<unknown>>();
  const shouldContinue = (): boolean => !loop.isStopped();
  let isFirstLook = true;

  function taskOf(lease: SyncLease, options: SyncOptions): SyncTask {
    const work = createLongWork(clock, shouldContinue);
    return { clock, storage, bounds, queue, destinations, lease, work, progress: createProgress(options) };
  }

  async function begin(): Promise<Result<number, SyncFault>> {
    if (loop.isStopped()) return err({ code: "stopped" });
    return (await latestRequestNumber(storage)).mapErr(toSyncFault);
  }

  async function sync(
    { key, since }: BegunSync,
    members: Members,
    options: SyncOptions,
  ): Promise<Result<SyncReport, SyncFault>> {
    if (loop.isStopped()) return err({ code: "stopped" });
    const taken = await acquireSyncLease(context, { key, take: takeNew(since) });
    if (taken.isErr()) return err(toSyncFault(taken.error));
    const task = taskOf(taken.value, options);
    collecting.add(taken.value);
    const prepared = await collectSyncMembers(task, members, options.confirmRemove);
    collecting.delete(taken.value);
    return prepared.isErr() ? err(orStopped(prepared.error)) : send(task, false);
  }

  /** A sync that was collecting when the relay stopped finds its lease lost, although no other sync has taken it. */
  function orStopped(fault: SyncFault): SyncFault {
    return fault.code === "sync-running" && loop.isStopped() ? { code: "stopped" } : fault;
  }

  function onSynced(audience: string, report: SyncReport): void {
    emit({ kind: "synced", audience, report });
  }

  function send(task: SyncTask, isResumed: boolean): Promise<Result<SyncReport, SyncFault>> {
    const sent = sendPrepared(task, { isResumed, onSynced });
    const done: Promise<unknown> = sent.finally(() => sending.delete(done));
    sending.add(done);
    return sent;
  }

  async function searchUnfinished(): Promise<number> {
    const records = await storage.records.list();
    for (const record of records.isOk() ? records.value : []) await resumeOrDrop(record);
    if (records.isOk()) isFirstLook = false;
    return SYNCS_EVERY_MS;
  }

  async function resumeOrDrop(record: AudienceRecord): Promise<void> {
    if (!shouldContinue()) return;
    if (record.running !== null) return takeOver(record);
    if (isFirstLook) await dropUnusedSets({ storage, work: createLongWork(clock, shouldContinue) }, record);
  }

  /**
   * Takes over an unfinished sync whose lease has ended. A sync that was collecting is lost; a sync that was sending
   * continues in the background.
   */
  async function takeOver({ key }: AudienceRecord): Promise<void> {
    const taken = await acquireSyncLease(context, { key, take: takeExpired });
    if (taken.isErr()) return;
    const task = taskOf(taken.value, {});
    if (taken.value.record().running?.kind === "sending") {
      void send(task, true);
      return;
    }
    const released = await taken.value.end(releaseSync);
    if (released.isOk()) await dropUnusedSets(task, released.value);
  }

  const isExpired = ({ running }: AudienceRecord): boolean =>
    running !== null && !isLeaseValid(running, settings.workspace().delivery.leaseMs, clock.wall());

  const takeNew =
    (since: number): TakeRecord =>
    (record, holder) =>
      record.running === null || (record.running.kind === "collecting" && isExpired(record))
        ? ok(beginSync(record, holder, since))
        : err({ code: "sync-running" });

  const takeExpired: TakeRecord = (record, holder) =>
    isExpired(record) ? ok(resumeSync(record, holder)) : err({ code: "sync-running" });

  return {
    begin,
    sync,
    start: loop.start,
    stop: async (): Promise<void> => {
      await loop.stop();
      // Does not wait for syncs that are collecting, since the iterable of a host may never end. The caller of such a
      // sync is answered at the next full chunk, or when the iterable ends.
      await Promise.all([...[...collecting].map((lease) => lease.end(releaseSync)), ...sending]);
    },
  };
}

/**
 * Prepares the members of a new sync for sending. `confirmRemove` is the number of members that may leave, if the host
 * has confirmed a number.
 */
async function collectSyncMembers(
  task: PrepareTask,
  members: Members,
  confirmRemove: number | undefined,
): Promise<Result<void, SyncFault>> {
  const runs = await collect(task, members);
  const all = runs.isOk() ? await mergeRuns(task, runs.value) : err(runs.error);
  const begun = all.isOk() ? await beginSending(task, all.value, confirmRemove) : err(all.error);
  if (begun.isErr()) await releaseAndDrop(task);
  return begun;
}

interface SendPreparedOptions {
  /**
   * True if this process resumes the sync of an earlier owner, which may have stored changes without recording them.
   */
  readonly isResumed: boolean;
  /** Called when all is sent, before sets that are not needed any more are dropped. */
  readonly onSynced: (audience: string, report: SyncReport) => void;
}

/** Sends the prepared changes, and ends the sync. A resumed sync first repeats the step that may not have been recorded. */
async function sendPrepared(
  task: SyncTask,
  { isResumed, onSynced }: SendPreparedOptions,
): Promise<Result<SyncReport, SyncFault>> {
  const sending = { ...task, onCompared: createSendProgress(task) };
  const repeated: Result<void, SendFault> = isResumed ? await repeatLastSteps(sending) : ok(undefined);
  const sent = repeated.isOk() ? await sendAll(sending) : repeated;
  if (sent.isErr()) {
    const released = await task.lease.end(releaseSync);
    return err(toSyncFault(released.isErr() ? released.error : sent.error));
  }
  return finish(task, onSynced);
}

async function finish(
  task: EndTask,
  onSynced: SendPreparedOptions["onSynced"],
): Promise<Result<SyncReport, SyncFault>> {
  const { clock, lease } = task;
  const ended = await lease.end((record) => endSync(record, clock.wall()));
  if (ended.isErr()) return err(toSyncFault(ended.error));
  const { last: report } = ended.value;
  if (report === null) return err({ code: "unavailable" });
  onSynced(ended.value.key, report);
  await dropUnusedSets(task, ended.value);
  return ok(report);
}

async function releaseAndDrop(task: SetTask & Pick<CollectTask, "lease">): Promise<void> {
  const { key, syncs } = task.lease.record();
  const released = await task.lease.end(releaseSync);
  if (released.isOk()) return dropUnusedSets(task, released.value);
  if (released.error.code !== "sync-running") return;
  // Another process has taken over the audience, and may have dropped unused sets before this process wrote its last
  // set.
  const sets = await task.storage.ask((audiences) => audiences.sets(setPrefix(key)));
  if (sets.isOk()) await dropSets(task, setsOfSync(key, syncs, sets.value));
}

function createSendProgress({ lease, progress }: Pick<CollectTask, "lease" | "progress">): (members: number) => void {
  const { running } = lease.record();
  const total = running?.kind === "sending" ? running.members * running.left.length : 0;
  let done = 0;
  // Reported before the first member is compared: from here on the sync cannot be lost.
  progress({ phase: "sending", done, total });
  return (members): void => {
    done += members;
    progress({ phase: "sending", done, total });
  };
}
