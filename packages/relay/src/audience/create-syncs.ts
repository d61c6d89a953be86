// Runs the syncs of a relay: those that a host asks for, and those that an earlier process left unfinished, which are
// searched for at start and at intervals. At most one sync of an audience runs at a time, over all processes (decision:
// audiences).

import type { AudienceRecord, SyncReport } from "@postrider/core";
import { beginSync, isLeaseValid, releaseSync, resumeSync } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { SYNCS_EVERY_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import type { Members, SyncFault, SyncOptions } from "./audiences.js";
import type { AudienceContext } from "./context.js";
import { dropUnusedSets } from "./drop-sets.js";
import { createLongWork } from "./long-work.js";
import { createSyncDestinations } from "./sync-destinations.js";
import { type SyncLease, acquireSyncLease, type TakeRecord } from "./sync-lease.js";
import { lastRequest } from "./requests.js";
import { collectSyncMembers, sendPrepared } from "./run-sync.js";
import { toSyncFault } from "./sync-fault.js";
import { createProgress, type SyncTask } from "./sync-task.js";

export interface BegunSync {
  readonly key: string;
  /** The number that `begin` answered. */
  readonly since: number;
}

export interface Syncs {
  /**
   * Returns the number of the last request about users. To be called when a host asks for a sync: the users of later
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
    return (await lastRequest(storage)).mapErr(toSyncFault);
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

  /** A stop releases the syncs that are collecting: they then find that they do not own their sync any more. */
  function orStopped(fault: SyncFault): SyncFault {
    return fault.code === "sync-running" && loop.isStopped() ? { code: "stopped" } : fault;
  }

  function onSynced(audience: string, report: SyncReport): void {
    emit({ kind: "synced", audience, report });
  }

  function send(task: SyncTask, isTakenUp: boolean): Promise<Result<SyncReport, SyncFault>> {
    const sent = sendPrepared(task, { isTakenUp, onSynced });
    const done: Promise<unknown> = sent.finally(() => sending.delete(done));
    sending.add(done);
    return sent;
  }

  async function searchUnfinished(): Promise<number> {
    const records = await storage.ask((audiences) => audiences.list());
    for (const record of records.isOk() ? records.value : []) await resumeOrDrop(record);
    if (records.isOk()) isFirstLook = false;
    return SYNCS_EVERY_MS;
  }

  async function resumeOrDrop(record: AudienceRecord): Promise<void> {
    if (!shouldContinue()) return;
    if (record.running !== null) return takeUp(record);
    if (isFirstLook) await dropUnusedSets({ storage, work: createLongWork(clock, shouldContinue) }, record);
  }

  /**
   * Takes over an unfinished sync whose lease has ended. A sync that was collecting is lost; a sync that was sending
   * continues in the background.
   */
  async function takeUp({ key }: AudienceRecord): Promise<void> {
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
