// One commit, in the transaction that its caller opened: what is accepted, settled, replayed and appended, in this order.

import type { Accepted, Changes, Committed, EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { prepareAccept } from "./accept.js";
import { prepareAppend } from "./append.js";
import { prepareDedupe } from "./dedupe.js";
import type { Ledger } from "./ledger.js";
import { prepareReplay } from "./replay.js";
import { prepareSettle } from "./settle.js";

export type Commit = (changes: Changes, ledger: Ledger, now: EpochMs) => Committed;

export function prepareCommit(database: SqliteDatabase, maxMessageIds: number): Commit {
  const dedupe = prepareDedupe(database, maxMessageIds);
  const accept = prepareAccept(database);
  const settle = prepareSettle(database);
  const replay = prepareReplay(database);
  const append = prepareAppend(database);

  function acceptAll({ accept: messages, lease }: Changes, ledger: Ledger, now: EpochMs): readonly Accepted[] {
    if (messages.length === 0) return [];
    let added = 0;
    const accepted = messages.map((message): Accepted => {
      const seen = dedupe.remember(message, now);
      if (seen === "new") added += 1;
      if (seen !== "duplicate") return accept(message, { ledger, lease }, now);
      ledger.count(message.source, "duplicates", 1);
      return { kind: "duplicate" };
    });
    dedupe.forget(added, now);
    return accepted;
  }

  return (changes, ledger, now) => {
    const accepted = acceptAll(changes, ledger, now);
    const settled = changes.settle.map((settlement) => settle(settlement, ledger, now));
    const replayed = changes.replay.map((again) => replay(again, { ledger, lease: changes.lease }, now));
    const appended = changes.append.map(append);
    addTally(changes, ledger);
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
