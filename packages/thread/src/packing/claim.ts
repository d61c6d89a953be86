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
  readNumber,
  readShared,
  readText,
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
    id: readText(from) as DeliveryId,
    lane: readShared(from) as DestinationId,
    source: readShared(from) as SourceId,
    type: readShared(from) as MessageType,
    messageId: readText(from),
    acceptedAt: readNumber(from) as EpochMs,
    dueAt: readNumber(from) as EpochMs,
    body: readKeptBytes(from) as Body,
    rounds: readNumber(from),
    endpoints: readList(from, readEndpoint),
    leaseUntil: readNumber(from) as EpochMs,
  };
  const present = readNumber(from);
  if ((present & HAS_FIRST_ATTEMPT) !== 0) claimed.firstAttemptAt = readNumber(from) as EpochMs;
  if ((present & HAS_TRACEPARENT) !== 0) claimed.traceparent = readText(from);
  return claimed;
}

type NextDue = readonly [DestinationId, EpochMs];

function writeNextDue(to: FlatWriter, [lane, dueAt]: NextDue): void {
  writeShared(to, lane);
  writeNumber(to, dueAt);
}

function readNextDue(from: FlatReader): NextDue {
  return [readShared(from) as DestinationId, readNumber(from) as EpochMs];
}
