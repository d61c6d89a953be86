// Applies the changes of one commit: all of them or none. Everything that could refuse the commit is checked before the
// first change.

import {
  type AcceptResult,
  type Changes,
  type CommitResult,
  createStoreError,
  type EpochMs,
  type NewMessage,
} from "@postrider/core";
import { acceptMessage } from "./accept.js";
import { append } from "./append.js";
import type { MemoryStoreBounds } from "./bounds.js";
import type { Contents } from "./contents.js";
import { findDuplicates } from "./dedupe.js";
import { noteNotified } from "./deletions/notices.js";
import { isOutdated, isSuppressed } from "./deletions/suppressed.js";
import { countsOf } from "./move.js";
import { replay } from "./replay.js";
import { settle } from "./settle.js";

export function commit(contents: Contents, bounds: MemoryStoreBounds, changes: Changes, now: EpochMs): CommitResult {
  const kinds = classify(contents, changes, now);
  refuseIfFull(contents, bounds, changes, kinds);

  const accepted = changes.accept.map((message, index): AcceptResult => {
    const kind = kinds[index] ?? "new";
    if (kind === "new") return acceptMessage(contents, { message, lease: changes.lease, bounds }, now);
    if (kind !== "outdated") countsOf(contents, message.source)[COUNTERS[kind]] += 1;
    return { kind };
  });
  const settled = changes.settle.map((settlement) => settle(contents, settlement, now));
  const replayed = changes.replay.map((again) => replay(contents, again, changes.lease, now));
  const appended = changes.append.map((late) => append(contents, late));
  addTally(contents, changes);
  for (const notified of changes.notified ?? []) noteNotified(contents, notified);
  return { accepted, replayed, settled, appended };
}

type Classified = "new" | "duplicate" | "suppressed" | "outdated";

const COUNTERS = { duplicate: "duplicates", suppressed: "suppressed" } as const;

/** Classifies each message. The id of a suppressed message is not stored, so a later message is no duplicate of it. */
function classify(contents: Contents, { accept: messages }: Changes, now: EpochMs): readonly Classified[] {
  const exclusions = messages.map((message) => exclusionOf(contents, message));
  const others = messages.filter((_, index) => exclusions[index] === undefined);
  const duplicates = findDuplicates(contents.seen, others, now)[Symbol.iterator]();
  return exclusions.map((exclusion) => {
    if (exclusion !== undefined) return exclusion;
    return duplicates.next().value === true ? "duplicate" : "new";
  });
}

function exclusionOf(contents: Contents, message: NewMessage): "outdated" | "suppressed" | undefined {
  if (isOutdated(contents, message)) return "outdated";
  return isSuppressed(contents, message) ? "suppressed" : undefined;
}

/** Refuses only changes that add deliveries or bytes, so a full store still settles. */
function refuseIfFull(
  contents: Contents,
  bounds: MemoryStoreBounds,
  changes: Changes,
  kinds: readonly Classified[],
): void {
  const fresh = changes.accept.filter((message, index) => kinds[index] === "new" && message.deliveries.length > 0);
  const deliveries = fresh.reduce((sum, message) => sum + message.deliveries.length, changes.replay.length);
  const bytes = fresh.reduce((sum, message) => sum + message.body.length, 0);
  const tooMany = deliveries > 0 && contents.deliveries.size + deliveries > bounds.maxDeliveries;
  const tooLarge = bytes > 0 && contents.bytes + bytes > bounds.maxBytes;
  if (tooMany || tooLarge) throw createStoreError("full", "the memory store is at its bound");
}

function addTally(contents: Contents, { tally }: Changes): void {
  for (const { source, refused, suppressed, shed } of tally) {
    const counts = countsOf(contents, source);
    counts.refused += refused;
    counts.suppressed += suppressed;
    counts.shed += shed;
  }
}
