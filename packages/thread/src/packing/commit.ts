// Packs the arguments and the result of `commit`, the most frequent method, with its new messages. The body of a message is read as a
// view, since a store copies the bytes that it keeps.

import type {
  Changes,
  EpochMs,
  Body,
  DeletionId,
  DestinationId,
  FilteredUnit,
  MessageType,
  NewDelivery,
  NewMessage,
  SourceId,
  AcceptResult,
  CommitResult,
  DeliveryId,
  SettleResult,
} from "@postrider/core";
import {
  type FlatReader,
  readList,
  takeNumber,
  takeSharedText,
  unpackFlat,
  type FlatWriter,
  packFlat,
  writeList,
  writeNumber,
  writeShared,
  type AllFields,
  type Unfinished,
  takeBytes,
  takeText,
  writeBytes,
  writeText,
  damagedError,
} from "../flat.js";
import type { Packing } from "../channel.js";
import {
  readAppended,
  readNotified,
  readReplay,
  readTally,
  packAppended,
  writeNotified,
  writeReplay,
  writeTally,
  readSettlement,
  writeSettlement,
  readStart,
  writeStart,
  writeLease,
  readLease,
} from "./changes.js";

type CommitArgs = [changes: Changes, now: EpochMs];

export const COMMIT_REQUEST: Packing<CommitArgs> = {
  pack: ([changes, now]) =>
    packFlat((to) => {
      writeChanges(to, changes);
      writeNumber(to, now);
    }),
  unpack: (parcel) => unpackFlat(parcel, (from) => [readChanges(from), takeNumber(from) as EpochMs]),
};

function writeChanges(
  to: FlatWriter,
  changes: AllFields<Changes, "accept" | "replay" | "settle" | "append" | "tally" | "notified" | "lease">,
): void {
  const { notified } = changes;
  writeList(to, changes.accept, writeMessage);
  writeList(to, changes.replay, writeReplay);
  writeList(to, changes.settle, writeSettlement);
  writeList(to, changes.append, packAppended);
  writeList(to, changes.tally, writeTally);
  writeLease(to, changes.lease);
  writeNumber(to, notified === undefined ? 0 : 1);
  if (notified !== undefined) writeList(to, notified, writeNotified);
}

function readChanges(from: FlatReader): Changes {
  const changes: Unfinished<Changes> = {
    accept: readList(from, readMessage),
    replay: readList(from, readReplay),
    settle: readList(from, readSettlement),
    append: readList(from, readAppended),
    tally: readList(from, readTally),
    lease: readLease(from),
  };
  if (takeNumber(from) !== 0) changes.notified = readList(from, readNotified);
  return changes;
}

/** Bits that say which optional fields follow. */
const HAS_USERS = 1;

const HAS_AS_OF = 2;

const HAS_TRACEPARENT = 4;

const HAS_DELETION = 8;

type Message = AllFields<
  NewMessage,
  | "source"
  | "messageId"
  | "type"
  | "receivedAt"
  | "userIds"
  | "asOf"
  | "traceparent"
  | "deletion"
  | "body"
  | "deliveries"
  | "filtered"
>;

function writeMessage(to: FlatWriter, message: Message): void {
  const { userIds, asOf, traceparent, deletion } = message;
  writeShared(to, message.source);
  writeText(to, message.messageId);
  writeShared(to, message.type);
  writeNumber(to, message.receivedAt);
  writeBytes(to, message.body);
  writeList(to, message.deliveries, writeDelivery);
  writeList(to, message.filtered, writeFiltered);
  writeNumber(to, bitsOf(message));
  if (userIds !== undefined) writeList(to, userIds, writeText);
  if (asOf !== undefined) writeNumber(to, asOf);
  if (traceparent !== undefined) writeText(to, traceparent);
  if (deletion !== undefined) writeShared(to, deletion);
}

function bitsOf({ userIds, asOf, traceparent, deletion }: Message): number {
  return (
    (userIds === undefined ? 0 : HAS_USERS) |
    (asOf === undefined ? 0 : HAS_AS_OF) |
    (traceparent === undefined ? 0 : HAS_TRACEPARENT) |
    (deletion === undefined ? 0 : HAS_DELETION)
  );
}

function readMessage(from: FlatReader): NewMessage {
  const message: Unfinished<NewMessage> = {
    source: takeSharedText(from) as SourceId,
    messageId: takeText(from),
    type: takeSharedText(from) as MessageType,
    receivedAt: takeNumber(from) as EpochMs,
    body: takeBytes(from) as Body,
    deliveries: readList(from, readDelivery),
    filtered: readList(from, readFiltered),
  };
  const bits = takeNumber(from);
  if ((bits & HAS_USERS) !== 0) message.userIds = readList(from, takeText);
  if ((bits & HAS_AS_OF) !== 0) message.asOf = takeNumber(from);
  if ((bits & HAS_TRACEPARENT) !== 0) message.traceparent = takeText(from);
  if ((bits & HAS_DELETION) !== 0) message.deletion = takeSharedText(from) as DeletionId;
  return message;
}

function writeDelivery(to: FlatWriter, delivery: AllFields<NewDelivery, "destination" | "start">): void {
  writeShared(to, delivery.destination);
  writeStart(to, delivery.start);
}

function readDelivery(from: FlatReader): NewDelivery {
  return { destination: takeSharedText(from) as DestinationId, start: readStart(from) };
}

/** A unit without a destination has the reason alone. */
function writeFiltered(to: FlatWriter, unit: AllFields<FilteredUnit, "destination" | "reason">): void {
  writeShared(to, unit.reason);
  writeNumber(to, unit.destination === null ? 0 : 1);
  if (unit.destination !== null) writeShared(to, unit.destination);
}

function readFiltered(from: FlatReader): FilteredUnit {
  const reason = takeSharedText(from) as FilteredUnit["reason"];
  return { destination: takeNumber(from) === 0 ? null : (takeSharedText(from) as DestinationId), reason };
}

export const COMMIT_RESPONSE: Packing<CommitResult> = {
  pack: (committed) => packFlat((to) => writeCommitted(to, committed)),
  unpack: (parcel) => unpackFlat(parcel, readCommitted),
};

function writeCommitted(
  to: FlatWriter,
  committed: AllFields<CommitResult, "accepted" | "replayed" | "settled" | "appended">,
): void {
  writeList(to, committed.accepted, writeAccepted);
  writeList(to, committed.replayed, writeReplayed);
  writeList(to, committed.settled, writeShared);
  writeList(to, committed.appended, writeShared);
}

function readCommitted(from: FlatReader): CommitResult {
  return {
    accepted: readList(from, readAccepted),
    replayed: readList(from, readReplayed),
    settled: readList(from, takeSharedText) as SettleResult[],
    appended: readList(from, takeSharedText) as ("appended" | "gone")[],
  };
}

function writeReplayed(to: FlatWriter, id: DeliveryId | undefined): void {
  writeNumber(to, id === undefined ? 0 : 1);
  if (id !== undefined) writeText(to, id);
}

function readReplayed(from: FlatReader): DeliveryId | undefined {
  return takeNumber(from) === 0 ? undefined : (takeText(from) as DeliveryId);
}

const STORED = 0;

const DUPLICATE = 1;

const SUPPRESSED = 2;

const OUTDATED = 3;

function writeAccepted(to: FlatWriter, result: AllFields<AcceptResult, "kind" | "deliveries">): void {
  switch (result.kind) {
    case "stored":
      writeNumber(to, STORED);
      writeList(to, result.deliveries, writeText);
      return;
    case "duplicate":
      writeNumber(to, DUPLICATE);
      return;
    case "suppressed":
      writeNumber(to, SUPPRESSED);
      return;
    case "outdated":
      writeNumber(to, OUTDATED);
  }
}

function readAccepted(from: FlatReader): AcceptResult {
  const kind = takeNumber(from);
  if (kind === STORED) return { kind: "stored", deliveries: readList(from, takeText) as DeliveryId[] };
  if (kind === DUPLICATE) return { kind: "duplicate" };
  if (kind === SUPPRESSED) return { kind: "suppressed" };
  if (kind === OUTDATED) return { kind: "outdated" };
  throw damagedError();
}
