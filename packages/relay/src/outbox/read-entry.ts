// Reads the text of a call in the outbox.

import { readReceivedCall } from "@postrider/codec";
import type { OutboxEntry } from "@postrider/core";
import { isPlainObject, usersOf } from "@postrider/core/engine";

/** The call as `accept` takes it. A text that is no JSON was written by hand; it is refused as a call. */
export function callOfEntry({ call }: Pick<OutboxEntry, "call">): unknown {
  try {
    return JSON.parse(call);
  } catch {
    return call;
  }
}

/** The users of the call; none if it would be refused. */
export function usersOfEntry(entry: Pick<OutboxEntry, "call">): readonly string[] {
  const written = callOfEntry(entry);
  if (!isPlainObject(written)) return [];
  const read = readReceivedCall(written);
  return read.kind === "refused" ? [] : usersOf(read.call);
}
