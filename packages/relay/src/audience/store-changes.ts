// Stores changes of some users for destinations, as messages with deliveries, in one commit; then they are delivered
// like all messages. The messageIds are derived from the changes, so that a repeat stores nothing twice, and a commit
// that failed is tried again.

import type { AudienceRecord, DestinationId, EpochMs, MemberChange } from "@postrider/core";
import { audienceCall, audienceSource, encodeMessage, mapCall, signMessageId } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { Draft } from "../intake/reserve.js";
import { CHANGES_TRIES, FAULT_PAUSE_MS } from "../limits.js";
import type { StoreFault } from "../fault.js";
import type { StoreTask } from "./sync-task.js";

export interface ChangesToSend {
  readonly destinations: readonly DestinationId[];
  readonly changes: readonly MemberChange[];
  /** The number of the last request about users that these changes take into account. */
  readonly asOf: number;
}

/** `outdated`: there is a later request about users, and nothing was stored. `stopped`: there was a stop before the first try. */
export type ChangesFault = StoreFault | { readonly code: "outdated" | "stopped" };

/** Resolves once all the changes are stored. */
export async function storeChanges(task: StoreTask, telling: ChangesToSend): Promise<Result<void, ChangesFault>> {
  const { lease, work } = task;
  let fault: ChangesFault = { code: "stopped" };
  for (let tries = 0; tries < CHANGES_TRIES && work.shouldContinue(); tries += 1) {
    if (tries > 0) await work.pause(FAULT_PAUSE_MS);
    const stored = await storeOnce(task, lease.record(), telling);
    if (stored.isOk()) return ok(undefined);
    fault = stored.error;
    if (fault.code === "corrupt" || fault.code === "outdated") break;
  }
  return err(fault);
}

async function storeOnce(
  { clock, queue }: Pick<StoreTask, "clock" | "queue">,
  record: AudienceRecord,
  { destinations, changes, asOf }: ChangesToSend,
): Promise<Result<void, ChangesFault>> {
  const now = clock.wall();
  const drafts = changes.flatMap((change) =>
    destinations.map((destination) => writeDraft(record, { change, destination, asOf }, now)),
  );
  const stored = await queue.enqueue(drafts);
  if (stored.isErr()) return err(stored.error);
  return stored.value.some(({ kind }) => kind === "outdated") ? err({ code: "outdated" }) : ok(undefined);
}

interface ChangeForOne {
  readonly change: MemberChange;
  readonly destination: DestinationId;
  readonly asOf: number;
}

/** Writes one change for one destination: each destination gets a separate message. */
function writeDraft(record: AudienceRecord, { change, destination, asOf }: ChangeForOne, now: EpochMs): Draft {
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
