// The way of a sync: its members are collected and put in order, the destinations are told what has changed, what nobody needs
// any more is dropped. Each step is kept before the next one begins (decision: audiences).

import { endSync, releaseSync, sendSync, type SyncReport } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { relayFault } from "../storage/relay-fault.js";
import type { Members, SyncFault } from "./audiences.js";
import { collect, type Run } from "./collect.js";
import { dropStrays } from "./drop-sets.js";
import { mergeRuns } from "./merge-runs.js";
import type { SyncTask } from "./sync-task.js";
import { tellAgain, tellAll, type TellFault } from "./tell.js";

/** A sync that has just begun: brings its members to where they can be sent. */
export async function prepareSync(task: SyncTask, members: Members): Promise<Result<void, SyncFault>> {
  const runs = await collect(task, members);
  const all = runs.isOk() ? await mergeRuns(task, runs.value) : err(runs.error);
  const begun = all.isOk() ? await beginSending(task, all.value) : err(all.error);
  if (begun.isErr()) await dropAll(task);
  return begun;
}

/** Sends what has been prepared, and ends the sync. One that was taken up first makes sure how far it has come. */
export async function sendPrepared(
  task: SyncTask,
  { isTakenUp }: { readonly isTakenUp: boolean },
): Promise<Result<SyncReport, SyncFault>> {
  const sending = { ...task, onCompared: createCounter(task) };
  const again: Result<void, TellFault> = isTakenUp ? await tellAgain(sending) : ok(undefined);
  const told = again.isOk() ? await tellAll(sending) : again;
  if (told.isErr()) {
    const released = await task.hold.end(releaseSync);
    return err(syncFault(released.isErr() ? released.error : told.error));
  }
  return finish(task);
}

async function beginSending({ context, hold }: SyncTask, { set, members }: Run): Promise<Result<void, SyncFault>> {
  const { isOn } = context.settings;
  const sent = await hold.change((record) =>
    sendSync(record, { set, members, left: record.destinations.filter((destination) => isOn(destination)) }),
  );
  return sent.map(() => undefined).mapErr(syncFault);
}

async function finish(task: SyncTask): Promise<Result<SyncReport, SyncFault>> {
  const { context, hold } = task;
  const ended = await hold.end((record) => endSync(record, context.clock.wall()));
  if (ended.isErr()) return err(syncFault(ended.error));
  const { last: report } = ended.value;
  if (report === null) return err({ code: "unavailable" });
  context.tell({ kind: "synced", audience: ended.value.key, report });
  await dropStrays(task, ended.value);
  return ok(report);
}

async function dropAll(task: SyncTask): Promise<void> {
  const released = await task.hold.end(releaseSync);
  if (released.isOk()) await dropStrays(task, released.value);
}

function createCounter({ hold, progress }: SyncTask): (members: number) => void {
  const { running } = hold.record();
  const total = running?.kind === "sending" ? running.members * running.left.length : 0;
  let done = 0;
  // Told before the first member is compared: from here on the sync cannot be lost.
  progress({ phase: "sending", done, total });
  return (members): void => {
    done += members;
    progress({ phase: "sending", done, total });
  };
}

/** What a host hears of it. */
export function syncFault(fault: TellFault): SyncFault {
  switch (fault.code) {
    case "sync-running":
    case "unknown-audience":
    case "stopped":
      return { code: fault.code };
    case "busy":
    case "full":
    case "corrupt":
    case "unavailable":
      return relayFault({ code: fault.code });
  }
}
