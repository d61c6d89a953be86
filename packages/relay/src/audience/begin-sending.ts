// The step after which a sync cannot be lost: removes users who were deleted during the upload, compares the new set
// with that of the previous sync, and makes it the current set. If too many members would leave, the step fails: the
// host must confirm their number first (decisions: erasure, guarded uploads).

import type { SyncCounts } from "@postrider/core";
import { erasedUpTo, needsConfirmation, startSending, type CollectedSet } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { MAX_RACES } from "../limits.js";
import type { SyncFault } from "./audiences.js";
import type { SortedRun } from "./collect.js";
import { type CompareTask, compareWithBefore } from "./compare-with-before.js";
import { eraseFromSet, eraseUsers } from "./erase-users.js";
import type { EraseFault } from "./erase-fault.js";
import { requestsWithin, type RequestNumberRange, usersOfDeletion } from "./requests.js";
import { toSyncFault } from "./sync-fault.js";
import type { SyncLease, SyncLeaseFault } from "./sync-lease.js";
import type { PrepareTask, SetTask } from "./sync-task.js";

/** The dependencies of preparing a sync, without the bounds of merges. */
type BeginTask = Omit<PrepareTask, "bounds">;

/**
 * Begins to send the collected set. `confirmed` is the number of members that may leave, if the host has confirmed a
 * number.
 */
export async function beginSending(
  task: BeginTask,
  { set, members: given }: SortedRun,
  confirmed: number | undefined,
): Promise<Result<void, SyncFault>> {
  let counts: SyncCounts | undefined;
  let members = given;
  let erased = sinceOf(task.lease);
  // Repeated only if a further request about users came meanwhile. The sets are compared only once: later erasures do
  // not change the counts.
  for (let race = 0; race < MAX_RACES; race += 1) {
    const gone = await eraseLater(task, set, erased);
    if (gone.isErr()) return err(toSyncFault(gone.error));
    erased = gone.value.upTo;
    members -= gone.value.users;
    const compared: Result<SyncCounts, SyncFault> =
      counts === undefined ? await compare(task, { set, members }, confirmed) : ok(counts);
    if (compared.isErr()) return err(compared.error);
    counts = compared.value;
    const sent = await send(task, { set, members, erased, ...counts });
    if (sent.isErr()) return err(toSyncFault(sent.error));
    if (sent.value) return ok(undefined);
  }
  return err({ code: "unavailable" });
}

/** The number of the last request about users when this sync began. */
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
  const span: RequestNumberRange = { after: since, upTo: erasedUpTo(record.value) };
  const requests = await requestsWithin(task.storage, span);
  if (requests.isErr()) return err(requests.error);
  let gone = 0;
  for (const { id } of requests.value) {
    const users = await usersOfDeletion(task.storage, id);
    const erased = users.isOk() ? await eraseFromSet(task, set, users.value) : err(users.error);
    if (erased.isErr()) return err(erased.error);
    gone += erased.value;
  }
  return ok({ upTo: span.upTo, users: gone });
}

async function compare(
  task: CompareTask,
  run: SortedRun,
  confirmed: number | undefined,
): Promise<Result<SyncCounts, SyncFault>> {
  const compared = await compareWithBefore(task, run);
  return compared.andThen(({ before, ...counts }) => {
    const { entered, departed } = counts;
    if (!needsConfirmation({ before, departed }, confirmed)) return ok(counts);
    return err({ code: "would-remove", members: run.members, entered, departed } as const);
  });
}

/**
 * Makes the new set the current one, unless a further request about users came meanwhile. Returns whether it has done
 * so.
 */
async function send(
  task: Pick<BeginTask, "lease" | "destinations">,
  whole: Omit<CollectedSet, "left">,
): Promise<Result<boolean, SyncLeaseFault>> {
  const { isOn } = task.destinations;
  const sent = await task.lease.change((record) =>
    startSending(record, { ...whole, left: record.destinations.filter((destination) => isOn(destination)) }),
  );
  return sent.map(({ running }) => running?.kind === "sending");
}
