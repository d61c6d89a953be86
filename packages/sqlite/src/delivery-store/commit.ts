// One commit, in the transaction that its caller opened: what is accepted, settled, replayed and appended, in this order.
// Whoever is suppressed is not looked for among what was seen: of them nothing is kept, no id either.

import type { Accepted, Changes, Committed, EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { prepareAccept } from "./accept.js";
import { prepareAppend } from "./append.js";
import { prepareDedupe } from "./dedupe.js";
import { prepareNoteNotified } from "./deletions/notices.js";
import { prepareIsSuppressed } from "./deletions/suppressed.js";
import type { Ledger } from "./ledger.js";
import { prepareReplay } from "./replay.js";
import { prepareSettle } from "./settle.js";
import type { Transaction } from "./transaction.js";

export type Commit = (changes: Changes, transaction: Transaction, now: EpochMs) => Committed;

export function prepareCommit(database: SqliteDatabase, maxMessageIds: number): Commit {
  const dedupe = prepareDedupe(database, maxMessageIds);
  const accept = prepareAccept(database);
  const settle = prepareSettle(database);
  const replay = prepareReplay(database);
  const append = prepareAppend(database);
  const askSuppressed = prepareIsSuppressed(database);
  const noteNotified = prepareNoteNotified(database);

  function acceptAll(
    { accept: messages, lease }: Changes,
    transaction: Transaction,
    now: EpochMs,
  ): readonly Accepted[] {
    if (messages.length === 0) return [];
    const { ledger } = transaction;
    const isSuppressed = askSuppressed();
    let added = 0;
    const accepted = messages.map((message): Accepted => {
      if (isSuppressed(message)) {
        ledger.count(message.source, "suppressed", 1);
        return { kind: "suppressed" };
      }
      const seen = dedupe.remember(message, now);
      if (seen === "new") added += 1;
      if (seen !== "duplicate") return accept(message, { ...transaction, lease }, now);
      ledger.count(message.source, "duplicates", 1);
      return { kind: "duplicate" };
    });
    dedupe.forget(added, now);
    return accepted;
  }

  return (changes, transaction, now) => {
    const accepted = acceptAll(changes, transaction, now);
    const settled = changes.settle.map((settlement) => settle(settlement, transaction, now));
    const replayed = changes.replay.map((again) => replay(again, { ...transaction, lease: changes.lease }, now));
    const appended = changes.append.map(append);
    addTally(changes, transaction.ledger);
    for (const notified of changes.notified ?? []) noteNotified(notified);
    return { accepted, settled, replayed, appended };
  };
}

function addTally({ tally }: Changes, ledger: Ledger): void {
  for (const { source, refused, suppressed, shed } of tally) {
    ledger.count(source, "refused", refused);
    ledger.count(source, "suppressed", suppressed);
    ledger.count(source, "shed", shed);
  }
}
