// Stores what destinations have to hear of some users, as messages with deliveries, in one commit; from there they go the way
// of all messages. Derived messageIds make a repeat harmless, so a store that fails is asked again.

import {
  audienceCall,
  type AudienceRecord,
  type DestinationId,
  encodeMessage,
  type EpochMs,
  mapCall,
  type MemberChange,
  type NewMessage,
  signMessageId,
  type SourceId,
} from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { reserve } from "../intake/reserve.js";
import { startDeliveries } from "../intake/start-deliveries.js";
import { storeMessages } from "../intake/store-messages.js";
import { CHANGES_TRIES, FAULT_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { StoreFault } from "../storage/storage.js";
import type { SyncTask } from "./sync-task.js";

export interface Telling {
  readonly destinations: readonly DestinationId[];
  readonly changes: readonly MemberChange[];
}

/** Resolves once all of it is stored. */
export async function storeChanges(task: SyncTask, telling: Telling): Promise<Result<void, StoreFault>> {
  const { context, hold, deliver, mayGoOn } = task;
  let fault: StoreFault = { code: "unavailable" };
  for (let tries = 0; tries < CHANGES_TRIES && mayGoOn(); tries += 1) {
    if (tries > 0) await pause(context.clock, FAULT_PAUSE_MS);
    const stored = await storeOnce(context, hold.record(), telling);
    deliver();
    if (stored.isOk()) return ok(undefined);
    fault = stored.error;
    if (fault.code === "corrupt") break;
  }
  return err(fault);
}

async function storeOnce(
  context: RelayContext,
  record: AudienceRecord,
  { destinations, changes }: Telling,
): Promise<Result<void, StoreFault>> {
  const now = context.clock.wall();
  const messages = changes.flatMap((change) =>
    destinations.map((destination) => writeMessage(context, record, { change, destination }, now)),
  );
  const stored = await storeMessages(context, messages);
  return stored.map(() => undefined);
}

interface Unit {
  readonly change: MemberChange;
  readonly destination: DestinationId;
}

/** A message of its own for each destination, with its place in the lane taken. */
function writeMessage(
  context: RelayContext,
  record: AudienceRecord,
  { change, destination }: Unit,
  now: EpochMs,
): NewMessage {
  const call = audienceCall(record, change);
  const messageId = signMessageId(record.id, [String(record.syncs), change.userId, destination]);
  const body = encodeMessage(mapCall({ call, messageId, timestamp: now, receivedAt: now }));
  const message: NewMessage = {
    source: sourceOf(record),
    messageId,
    type: call.type,
    receivedAt: now,
    userIds: [change.userId],
    body,
    deliveries: startDeliveries(context, [destination], { size: body.length, now }),
    filtered: [],
  };
  reserve(context.lanes, message);
  return message;
}

/** What an audience sends is counted as its own. */
function sourceOf({ key }: AudienceRecord): SourceId {
  return `audience/${key}` as SourceId;
}
