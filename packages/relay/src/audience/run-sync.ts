// The order of a sync: its members are collected and sorted, the changes are sent to the destinations, and sets that are
// not needed any more are dropped. Each step is recorded before the next one begins (decision: audiences).

import type { SyncReport } from "@postrider/core";
import { endSync, setsOfSync, releaseSync, setPrefix } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { Members, SyncFault } from "./audiences.js";
import { beginSending } from "./begin-sending.js";
import { collect } from "./collect.js";
import { dropSets, dropUnusedSets } from "./drop-sets.js";
import { mergeRuns } from "./merge-runs.js";
import { toSyncFault } from "./sync-fault.js";
import type { CollectTask, EndTask, PrepareTask, SetTask, SyncTask } from "./sync-task.js";
import { repeatLastSteps, sendAll, type SendFault } from "./send-changes.js";

/**
 * Prepares the members of a new sync for sending. `confirmed` is the number of members that may leave, if the host has
 * confirmed a number.
 */
export async function collectSyncMembers(
  task: PrepareTask,
  members: Members,
  confirmed: number | undefined,
): Promise<Result<void, SyncFault>> {
  const runs = await collect(task, members);
  const all = runs.isOk() ? await mergeRuns(task, runs.value) : err(runs.error);
  const begun = all.isOk() ? await beginSending(task, all.value, confirmed) : err(all.error);
  if (begun.isErr()) await releaseAndDrop(task);
  return begun;
}

export interface SendPreparedOptions {
  /**
   * Whether this process resumes the sync of an earlier owner, which may have stored changes without recording them.
   */
  readonly isTakenUp: boolean;
  /** Called when all is sent, before sets that are not needed any more are dropped. */
  readonly onSynced: (audience: string, report: SyncReport) => void;
}

/** Sends the prepared changes, and ends the sync. A resumed sync first repeats the step that may not have been recorded. */
export async function sendPrepared(
  task: SyncTask,
  { isTakenUp, onSynced }: SendPreparedOptions,
): Promise<Result<SyncReport, SyncFault>> {
  const sending = { ...task, onCompared: createCounter(task) };
  const repeated: Result<void, SendFault> = isTakenUp ? await repeatLastSteps(sending) : ok(undefined);
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

function createCounter({ lease, progress }: Pick<CollectTask, "lease" | "progress">): (members: number) => void {
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
