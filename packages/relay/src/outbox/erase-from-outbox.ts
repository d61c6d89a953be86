// Removes the calls of users from the outbox, before a request about them is opened: what was committed before it is gone, and what the
// process on duty has read already is refused by the store, since a request was opened after it (decision: outbox).

import { type Clock, effectsOf, type NewDeletion, type OutboxEntry } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { MAX_OUTBOX_PAGES, SLICE_PAUSE_MS } from "../limits.js";
import type { AskOutbox } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { whileBusy } from "../commits/retry.js";
import { usersOfEntry } from "./read-entry.js";
import { nextPageAfter, readOutboxPage } from "./read-page.js";

export type ErasingRequest = Pick<NewDeletion, "regulation" | "userIds" | "sources">;

/**
 * `busy`: the end of the outbox was not reached, and the request can be made again. Calls that were removed before a fault stay so: they
 * are those that the request is to remove.
 */
export async function eraseFromOutbox(
  clock: Clock,
  ask: AskOutbox,
  { regulation, userIds, sources }: ErasingRequest,
): Promise<Result<void, StoreFault>> {
  if (!effectsOf(regulation).purges) return ok(undefined);
  const users = new Set(userIds);
  const isCovered = (entry: OutboxEntry): boolean =>
    (sources === null || sources.includes(entry.source)) && usersOfEntry(entry).some((user) => users.has(user));

  let after: string | undefined;
  for (let pages = 0; pages < MAX_OUTBOX_PAGES; pages += 1) {
    const page = await whileBusy(clock, () => readOutboxPage(ask, after));
    if (page.isErr()) return err(page.error);
    const ids = page.value.filter(isCovered).map(({ id }) => id);
    const removed =
      ids.length === 0 ? ok(undefined) : await whileBusy(clock, () => ask((outbox) => outbox.remove(ids)));
    if (removed.isErr()) return err(removed.error);
    after = nextPageAfter(page.value);
    if (after === undefined) return ok(undefined);
    await pauseFor(clock, SLICE_PAUSE_MS);
  }
  return err({ code: "busy" });
}
