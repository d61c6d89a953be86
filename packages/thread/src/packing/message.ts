// Packs a new message with its deliveries and its filtered units. Its body is read as a view, since a store copies the bytes that it keeps.

import type {
  Body,
  DeletionId,
  DestinationId,
  EpochMs,
  FilteredUnit,
  MessageType,
  NewDelivery,
  NewMessage,
  SourceId,
} from "@postrider/core";
import { type FlatReader, takeBytes, readList, takeNumber, takeSharedText, takeText } from "../flat-reader.js";
import { type FlatWriter, writeBytes, writeList, writeNumber, writeShared, writeText } from "../flat-writer.js";
import type { AllFields, Unfinished } from "./all-fields.js";
import { readStart, writeStart } from "./start.js";

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

/** Bits that say which optional fields follow. */
const HAS_USERS = 1;
const HAS_AS_OF = 2;
const HAS_TRACEPARENT = 4;
const HAS_DELETION = 8;

export function writeMessage(to: FlatWriter, message: Message): void {
  const { userIds, asOf, traceparent, deletion } = message;
  writeShared(to, message.source);
  writeText(to, message.messageId);
  writeShared(to, message.type);
  writeNumber(to, message.receivedAt);
  writeBytes(to, message.body);
  writeList(to, message.deliveries, writeDelivery);
  writeList(to, message.filtered, writeFiltered);
  writeNumber(to, presentOf(message));
  if (userIds !== undefined) writeList(to, userIds, writeText);
  if (asOf !== undefined) writeNumber(to, asOf);
  if (traceparent !== undefined) writeText(to, traceparent);
  if (deletion !== undefined) writeShared(to, deletion);
}

function presentOf({ userIds, asOf, traceparent, deletion }: Message): number {
  return (
    (userIds === undefined ? 0 : HAS_USERS) |
    (asOf === undefined ? 0 : HAS_AS_OF) |
    (traceparent === undefined ? 0 : HAS_TRACEPARENT) |
    (deletion === undefined ? 0 : HAS_DELETION)
  );
}

export function readMessage(from: FlatReader): NewMessage {
  const message: Unfinished<NewMessage> = {
    source: takeSharedText(from) as SourceId,
    messageId: takeText(from),
    type: takeSharedText(from) as MessageType,
    receivedAt: takeNumber(from) as EpochMs,
    body: takeBytes(from) as Body,
    deliveries: readList(from, readDelivery),
    filtered: readList(from, readFiltered),
  };
  const present = takeNumber(from);
  if ((present & HAS_USERS) !== 0) message.userIds = readList(from, takeText);
  if ((present & HAS_AS_OF) !== 0) message.asOf = takeNumber(from);
  if ((present & HAS_TRACEPARENT) !== 0) message.traceparent = takeText(from);
  if ((present & HAS_DELETION) !== 0) message.deletion = takeSharedText(from) as DeletionId;
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
