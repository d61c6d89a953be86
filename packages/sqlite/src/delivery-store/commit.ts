// One commit, in the transaction that its caller opened: what is accepted, settled, replayed and appended, in this order.
// Whoever is suppressed is not looked for among what was seen: of them nothing is kept, no id either.

import type { Accepted, Changes, Committed, EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { prepareAccept } from "./accept.js";
import { prepareAppend } from "./append.js";
import { prepareNewAttempts } from "./attempts.js";
import { prepareDedupe } from "./dedupe.js";
import { prepareNoteNotified } from "./deletions/notices.js";
import { prepareIsSuppressed } from "./deletions/suppressed.js";
import { type NewDeliveries, prepareNewDeliveries } from "./insert-delivery.js";
import type { Ledger } from "./ledger.js";
import { prepareReplay } from "./replay.js";
import { prepareSettleAll } from "./settle.js";
import type { Transaction } from "./transaction.js";

export type Commit = (changes: Changes, transaction: Transaction, now: EpochMs) => Committed;

export function prepareCommit(database: SqliteDatabase, maxMessageIds: number): Commit {
  const dedupe = prepareDedupe(database, maxMessageIds);
  const accept = prepareAccept(database);
  const settleAll = prepareSettleAll(database);
  const replay = prepareReplay(database);
  const append = prepareAppend(database);
  const openNewDeliveries = prepareNewDeliveries(database);
  const openNewAttempts = prepareNewAttempts(database);
  const askSuppressed = prepareIsSuppressed(database);
  const noteNotified = prepareNoteNotified(database);

  function acceptAll(
    messages: Changes["accept"],
    { ledger, newDeliveries }: Accepting,
    now: EpochMs,
  ): readonly Accepted[] {
    if (messages.length === 0) return [];
    const isSuppressed = askSuppressed();
    let added = 0;
    const accepted = messages.map((message): Accepted => {
      if (isSuppressed(message)) {
        ledger.count(message.source, "suppressed", 1);
        return { kind: "suppressed" };
      }
      const seen = dedupe.remember(message, now);
      if (seen === "new") added += 1;
      if (seen !== "duplicate") return accept(message, { ledger, newDeliveries }, now);
      ledger.count(message.source, "duplicates", 1);
      return { kind: "duplicate" };
    });
    dedupe.forget(added, now);
    return accepted;
  }

  return (changes, transaction, now) => {
    const { ledger, reach } = transaction;
    const newDeliveries = openNewDeliveries({ ledger, lease: changes.lease });
    const newAttempts = openNewAttempts();
    const accepted = acceptAll(changes.accept, { ledger, newDeliveries }, now);
    newDeliveries.write();
    const settled = settleAll(changes.settle, { ...transaction, newAttempts }, now);
    const replayed = changes.replay.map((again) => replay(again, { reach, newDeliveries }, now));
    newDeliveries.write();
    const appended = changes.append.map((late) => append(late, newAttempts));
    newAttempts.write();
    addTally(changes, transaction.ledger);
    for (const notified of changes.notified ?? []) noteNotified(notified);
    return { accepted, settled, replayed, appended };
  };
}

interface Accepting {
  readonly ledger: Ledger;
  readonly newDeliveries: NewDeliveries;
}

function addTally({ tally }: Changes, ledger: Ledger): void {
  for (const { source, refused, suppressed, shed } of tally) {
    ledger.count(source, "refused", refused);
    ledger.count(source, "suppressed", suppressed);
    ledger.count(source, "shed", shed);
  }
}
