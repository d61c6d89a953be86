// Remembers which (source, messageId) came in, for 24 hours by the time that commits bring along (decision: dedupe).
// Bounded: beyond the bound the oldest are forgotten first.

import { DEDUPE_WINDOW_MS, type EpochMs, type NewMessage } from "@postrider/core";

/** When each id was seen, oldest first. */
export type SeenIds = Map<string, EpochMs>;

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
  seen.set(key, now);
  for (const [oldest, seenAt] of seen) {
    if (isRemembered(seenAt, now) && seen.size <= maxIds) return;
    seen.delete(oldest);
  }
}

function isRemembered(seenAt: EpochMs | undefined, now: EpochMs): boolean {
  return seenAt !== undefined && now - seenAt < DEDUPE_WINDOW_MS;
}

/** The length keeps apart what merely looks alike when written in one. */
function keyOf({ source, messageId }: NewMessage): string {
  return `${String(source.length)}:${source}${messageId}`;
}
