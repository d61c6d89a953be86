// Remembers which (source, messageId) came in, for 24 hours by the time that commits bring along (decision: dedupe).
// Bounded: beyond the bound the oldest are forgotten first.

import { DEDUPE_WINDOW_MS, type EpochMs, type NewMessage, type SeenMessage } from "@postrider/core";

/** What was seen under each id, oldest first. */
export type SeenIds = Map<string, Remembered>;

type Remembered = Omit<SeenMessage, "source">;

export function createSeenIds(): SeenIds {
  return new Map();
}

/** For each message whether it is a duplicate: seen before, or the twin of one further up in the list. */
export function findDuplicates(seen: SeenIds, messages: readonly NewMessage[], now: EpochMs): readonly boolean[] {
  const inList = new Set<string>();
  return messages.map((message) => {
    const key = keyOf(message);
    const isDuplicate = inList.has(key) || isRemembered(seen.get(key), now);
    inList.add(key);
    return isDuplicate;
  });
}

/** Remembers a message as seen now, and forgets what is too old or too much. */
export function remember(seen: SeenIds, message: NewMessage, maxIds: number, now: EpochMs): void {
  const key = keyOf(message);
  seen.delete(key);
  seen.set(key, { seenAt: now, deliveries: message.deliveries.length });
  for (const [oldest, remembered] of seen) {
    if (isRemembered(remembered, now) && seen.size <= maxIds) return;
    seen.delete(oldest);
  }
}

/** What is remembered under an id; nothing that a further message would not be a duplicate of. */
export function recall(seen: SeenIds, id: CallId, now: EpochMs): SeenMessage | undefined {
  const remembered = seen.get(keyOf(id));
  return isRemembered(remembered, now) ? { source: id.source, ...remembered } : undefined;
}

type CallId = Pick<NewMessage, "source" | "messageId">;

function isRemembered(remembered: Remembered | undefined, now: EpochMs): remembered is Remembered {
  return remembered !== undefined && now - remembered.seenAt < DEDUPE_WINDOW_MS;
}

/** The length keeps apart what merely looks alike when written in one. */
function keyOf({ source, messageId }: CallId): string {
  return `${String(source.length)}:${source}${messageId}`;
}
