// Applies the changes of one commit, in a transaction that is already open: accepts, then settles, replays and appends.
// A message about a suppressed user is only counted: not even its message id is stored, so dedupe is not asked about that message.

import {
  type NewMessage,
  type DeletionId,
  type NoticeProgress,
  sourceId,
  type AcceptResult,
  type Changes,
  type CommitResult,
  type EpochMs,
  type DeliveryId,
  destinationId,
  type Replay,
} from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, readRow, readText, readMaybeText, toText } from "../rows/rows.js";
import { prepareAppend, prepareNewAttempts } from "./attempts.js";
import type { CounterDeltas, Transaction } from "./transaction.js";
import type { Dedupe, DedupeCommit } from "./dedupe/dedupe.js";
import { prepareSettleAll } from "./settle.js";
import { rowOf, BODY_COLUMNS, readBody, readContentSum } from "./codes.js";
import type { Erasure } from "./erasure.js";
import { type AcceptContext, prepareAccept, type NewDeliveries, prepareNewDeliveries } from "./accept.js";

export type Commit = (changes: Changes, transaction: Transaction, now: EpochMs) => CommitResult;

export function prepareCommit(database: SqliteDatabase, dedupe: Dedupe): Commit {
  const accept = prepareAccept(database);
  const settleAll = prepareSettleAll(database);
  const replay = prepareReplay(database);
  const append = prepareAppend(database);
  const openNewDeliveries = prepareNewDeliveries(database);
  const openNewAttempts = prepareNewAttempts(database);
  const openSuppressedCheck = prepareIsSuppressed(database);
  const openOutdatedCheck = prepareIsOutdated(database);
  const noteNotified = prepareNoteNotified(database);

  function acceptAll(
    messages: Changes["accept"],
    { deltas, newDeliveries, ids }: AcceptAllContext,
    now: EpochMs,
  ): readonly AcceptResult[] {
    if (messages.length === 0) return [];
    const isSuppressed = openSuppressedCheck();
    const isOutdated = openOutdatedCheck();
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
      const after = newDeliveries.lastId();
      const accepted = accept(message, { deltas, newDeliveries }, now);
      ids.add(message, { after, upTo: newDeliveries.lastId() });
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
    const replayed = changes.replay.map((request) => replay(request, { erasure, newDeliveries, dedupe: ids }, now));
    newDeliveries.write();
    ids.write();
    const appended = changes.append.map((lateAttempt) => append(lateAttempt, newAttempts));
    newAttempts.write();
    addTally(changes, transaction.deltas);
    for (const progress of changes.notified ?? []) noteNotified(progress);
    return { accepted, settled, replayed, appended };
  };
}

interface AcceptAllContext extends AcceptContext {
  readonly ids: DedupeCommit;
}

function addTally({ tally }: Changes, deltas: CounterDeltas): void {
  for (const { source, refused, suppressed, shed } of tally) {
    deltas.count(source, "refused", refused);
    deltas.count(source, "suppressed", suppressed);
    deltas.count(source, "shed", shed);
  }
}

interface ReplayParts {
  readonly erasure: Erasure;
  readonly newDeliveries: NewDeliveries;
  readonly dedupe: DedupeCommit;
}

type ReplayDelivery = (replay: Replay, replaying: ReplayParts, now: EpochMs) => DeliveryId | undefined;

const SELECT_OLD = `
  select d.message, d.lane, m.deletion, ${BODY_COLUMNS} from delivery d left join message m on m.id = d.message
  where d.id = ? and d.finished_at is not null`;

function prepareReplay(database: SqliteDatabase): ReplayDelivery {
  const find = database.prepare(SELECT_OLD);
  const mark = database.prepare("update delivery set replayed = 1 where id = ? and replayed = 0");

  return ({ of, start, once }, { erasure, newDeliveries, dedupe }, now) => {
    const row = rowOf(of);
    const old = row === undefined ? undefined : readRow(find.get(row));
    if (row === undefined || old === undefined) return undefined;
    const messageRow = readNumber(old, "message");
    if (erasure.mustForget(row, messageRow, old)) return undefined;
    const isFirst = Number(mark.run(row).changes) > 0;
    if (once === true && !isFirst) return undefined;
    const lane = destinationId(readText(old, "lane"));
    // `readBody` checks the old checksum: a new checksum over broken bytes would hide the damage.
    const body = readBody(old, lane);
    const deletion = readMaybeText(old, "deletion") as DeletionId | undefined;
    const countedFields = { source: sourceId(readText(old, "source")), lane, size: body.length, deletion };
    const message = { row: messageRow, content: readContentSum(old, body) };
    const after = newDeliveries.lastId();
    const id = newDeliveries.add({ counted: countedFields, message, acceptedAt: now, replayOf: row, start }, now);
    dedupe.indexOnly(
      { source: countedFields.source, messageId: readText(old, "message_id") },
      { after, upTo: after + 1 },
    );
    return id;
  };
}

/**
 * Stores how many users have been notified. The number never decreases, since a second process may report an older
 * number.
 */
function prepareNoteNotified(database: SqliteDatabase): (progress: NoticeProgress) => void {
  const note = database.prepare("update deletion set notified = max(notified, min(?, users)) where id = ?");
  return ({ deletion, users }) => {
    note.run(users, toText(deletion));
  };
}

/** Returns, for one transaction, the check whether a user of a message is suppressed. */
function prepareIsSuppressed(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const selectAny = database.prepare("select 1 as found from suppressed limit 1");
  const findUser = database.prepare("select 1 as found from suppressed where user_id = ?");
  return () => {
    if (readRow(selectAny.get()) === undefined) return () => false;
    return ({ userIds = [] }) => userIds.some((userId) => readRow(findUser.get(toText(userId))) !== undefined);
  };
}

/**
 * Returns, for one transaction, the check whether a request about users was stored after the request with the number
 * `asOf`.
 */
function prepareIsOutdated(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const selectLast = database.prepare("select coalesce(max(row), 0) as row from deletion");
  return () => {
    let lastRequest: number | undefined;
    return ({ asOf }) => {
      if (asOf === undefined) return false;
      lastRequest ??= readNumber(readSingleRow(selectLast.get()), "row");
      return lastRequest > asOf;
    };
  };
}
