// Applies the changes of one commit, in a transaction that is already open: accepts, then settles, replays and appends.
// Nothing is stored of a message about a suppressed user, not even its message id, so dedupe is not asked about that
// message.

import type { AcceptResult, Changes, CommitResult, EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { type AcceptContext, prepareAccept } from "./accept.js";
import { prepareAppend } from "./append.js";
import { prepareNewAttempts } from "./attempts.js";
import { prepareNoteNotified } from "./deletions/notices.js";
import { prepareIsOutdated, prepareIsSuppressed } from "./deletions/suppressed.js";
import { prepareNewDeliveries } from "./add-delivery.js";
import type { CounterDeltas } from "./counter-deltas.js";
import { prepareReplay } from "./replay.js";
import type { Dedupe, DedupeCommit } from "./dedupe/dedupe.js";
import { prepareSettleAll } from "./settle.js";
import type { Transaction } from "./transaction.js";

export type Commit = (changes: Changes, transaction: Transaction, now: EpochMs) => CommitResult;

export function prepareCommit(database: SqliteDatabase, dedupe: Dedupe): Commit {
  const accept = prepareAccept(database);
  const settleAll = prepareSettleAll(database);
  const replay = prepareReplay(database);
  const append = prepareAppend(database);
  const openNewDeliveries = prepareNewDeliveries(database);
  const openNewAttempts = prepareNewAttempts(database);
  const askSuppressed = prepareIsSuppressed(database);
  const askOutdated = prepareIsOutdated(database);
  const noteNotified = prepareNoteNotified(database);

  function acceptAll(
    messages: Changes["accept"],
    { deltas, newDeliveries, ids }: AcceptingAll,
    now: EpochMs,
  ): readonly AcceptResult[] {
    if (messages.length === 0) return [];
    const isSuppressed = askSuppressed();
    const isOutdated = askOutdated();
    return messages.map((message): AcceptResult => {
      if (isOutdated(message)) return { kind: "outdated" };
      if (isSuppressed(message)) {
        deltas.count(message.source, "suppressed", 1);
        return { kind: "suppressed" };
      }
      if (ids.isDuplicate(message)) {
        deltas.count(message.source, "duplicates", 1);
        return { kind: "duplicate" };
      }
      const after = newDeliveries.last();
      const accepted = accept(message, { deltas, newDeliveries }, now);
      ids.add(message, { after, upTo: newDeliveries.last() });
      return accepted;
    });
  }

  return (changes, transaction, now) => {
    const { deltas, erasure } = transaction;
    const newDeliveries = openNewDeliveries({ deltas, lease: changes.lease });
    const newAttempts = openNewAttempts();
    const ids = dedupe.open(now);
    const accepted = acceptAll(changes.accept, { deltas, newDeliveries, ids }, now);
    newDeliveries.write();
    const settled = settleAll(changes.settle, { ...transaction, newAttempts }, now);
    const replayed = changes.replay.map((again) => replay(again, { erasure, newDeliveries, dedupe: ids }, now));
    newDeliveries.write();
    ids.write();
    const appended = changes.append.map((late) => append(late, newAttempts));
    newAttempts.write();
    addTally(changes, transaction.deltas);
    for (const notified of changes.notified ?? []) noteNotified(notified);
    return { accepted, settled, replayed, appended };
  };
}

interface AcceptingAll extends AcceptContext {
  readonly ids: DedupeCommit;
}

function addTally({ tally }: Changes, deltas: CounterDeltas): void {
  for (const { source, refused, suppressed, shed } of tally) {
    deltas.count(source, "refused", refused);
    deltas.count(source, "suppressed", suppressed);
    deltas.count(source, "shed", shed);
  }
}
