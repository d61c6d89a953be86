// Packs the result of `claim`: deliveries with their bytes, which the receiver keeps.

import type {
  Body,
  ClaimedDelivery,
  ClaimResult,
  DeliveryId,
  DestinationId,
  EpochMs,
  MessageType,
  SourceId,
} from "@postrider/core";
import {
  type FlatReader,
  readKeptBytes,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
} from "../flat-reader.js";
import {
  type FlatWriter,
  packFlat,
  writeKeptBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
} from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import type { AllFields, Unfinished } from "./all-fields.js";
import { readEndpoint, writeEndpoint } from "./endpoint.js";

export const CLAIM_RESPONSE: Packing<ClaimResult> = {
  pack: (result: AllFields<ClaimResult, "deliveries" | "nextDueAt">) =>
    packFlat((to) => {
      writeList(to, result.deliveries, writeClaimed);
      writeList(to, [...result.nextDueAt], writeNextDue);
    }),
  unpack: (parcel) =>
    unpackFlat(parcel, (from) => ({
      deliveries: readList(from, readClaimed),
      nextDueAt: new Map(readList(from, readNextDue)),
    })),
};

type Claimed = AllFields<
  ClaimedDelivery,
  | "id"
  | "lane"
  | "source"
  | "type"
  | "messageId"
  | "acceptedAt"
  | "dueAt"
  | "body"
  | "rounds"
  | "firstAttemptAt"
  | "endpoints"
  | "traceparent"
  | "leaseUntil"
>;

/** Bits that say which optional fields follow. */
const HAS_FIRST_ATTEMPT = 1;
const HAS_TRACEPARENT = 2;

function writeClaimed(to: FlatWriter, claimed: Claimed): void {
  const { firstAttemptAt, traceparent } = claimed;
  writeText(to, claimed.id);
  writeShared(to, claimed.lane);
  writeShared(to, claimed.source);
  writeShared(to, claimed.type);
  writeText(to, claimed.messageId);
  writeNumber(to, claimed.acceptedAt);
  writeNumber(to, claimed.dueAt);
  writeKeptBytes(to, claimed.body);
  writeNumber(to, claimed.rounds);
  writeList(to, claimed.endpoints, writeEndpoint);
  writeNumber(to, claimed.leaseUntil);
  writeNumber(
    to,
    (firstAttemptAt === undefined ? 0 : HAS_FIRST_ATTEMPT) | (traceparent === undefined ? 0 : HAS_TRACEPARENT),
  );
  if (firstAttemptAt !== undefined) writeNumber(to, firstAttemptAt);
  if (traceparent !== undefined) writeText(to, traceparent);
}

function readClaimed(from: FlatReader): ClaimedDelivery {
  const claimed: Unfinished<ClaimedDelivery> = {
    id: takeText(from) as DeliveryId,
    lane: takeSharedText(from) as DestinationId,
    source: takeSharedText(from) as SourceId,
    type: takeSharedText(from) as MessageType,
    messageId: takeText(from),
    acceptedAt: takeNumber(from) as EpochMs,
    dueAt: takeNumber(from) as EpochMs,
    body: readKeptBytes(from) as Body,
    rounds: takeNumber(from),
    endpoints: readList(from, readEndpoint),
    leaseUntil: takeNumber(from) as EpochMs,
  };
  const present = takeNumber(from);
  if ((present & HAS_FIRST_ATTEMPT) !== 0) claimed.firstAttemptAt = takeNumber(from) as EpochMs;
  if ((present & HAS_TRACEPARENT) !== 0) claimed.traceparent = takeText(from);
  return claimed;
}

type NextDue = readonly [DestinationId, EpochMs];

function writeNextDue(to: FlatWriter, [lane, dueAt]: NextDue): void {
  writeShared(to, lane);
  writeNumber(to, dueAt);
}

function readNextDue(from: FlatReader): NextDue {
  return [takeSharedText(from) as DestinationId, takeNumber(from) as EpochMs];
}
