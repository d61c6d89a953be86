// Remembers which pairs of source and message id were accepted, for 24 hours and up to a maximum; the oldest are forgotten
// first (decision: dedupe). The time is an argument of each commit.

import { DEDUPE_WINDOW_MS, type EpochMs, type NewMessage, type SeenMessage } from "@postrider/core";

/** The remembered entries by id, oldest first. */
export type SeenIds = Map<string, SeenEntry>;

type SeenEntry = Omit<SeenMessage, "source">;

export function createSeenIds(): SeenIds {
  return new Map();
}

/** For each message, true if it is a duplicate of an accepted message, or of an earlier message in the list. */
export function findDuplicates(seen: SeenIds, messages: readonly NewMessage[], now: EpochMs): readonly boolean[] {
  const keysInList = new Set<string>();
  return messages.map((message) => {
    const key = keyOf(message);
    const isDuplicate = keysInList.has(key) || isRemembered(seen.get(key), now);
    keysInList.add(key);
    return isDuplicate;
  });
}

/** Remembers a message as accepted now, and forgets entries that are too old or too many. */
export function remember(seen: SeenIds, message: NewMessage, maxIds: number, now: EpochMs): void {
  const key = keyOf(message);
  seen.delete(key);
  seen.set(key, { seenAt: now, deliveries: message.deliveries.length });
  for (const [oldestKey, entry] of seen) {
    if (isRemembered(entry, now) && seen.size <= maxIds) return;
    seen.delete(oldestKey);
  }
}

/** The entry of an id, if a further message with the id would be a duplicate. */
export function recall(seen: SeenIds, id: CallId, now: EpochMs): SeenMessage | undefined {
  const entry = seen.get(keyOf(id));
  return isRemembered(entry, now) ? { source: id.source, ...entry } : undefined;
}

type CallId = Pick<NewMessage, "source" | "messageId">;

function isRemembered(entry: SeenEntry | undefined, now: EpochMs): entry is SeenEntry {
  return entry !== undefined && now - entry.seenAt < DEDUPE_WINDOW_MS;
}

/**
 * A key for a source and a message id. It begins with the length of the source, since without the length two different
 * pairs could have the same key.
 */
function keyOf({ source, messageId }: CallId): string {
  return `${String(source.length)}:${source}${messageId}`;
}
