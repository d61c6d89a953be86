// Packs the results of `claim` and `find`: deliveries with their bytes, which the receiver keeps, and the states of their endpoints.

import {
  type Body,
  type ClaimedDelivery,
  type ClaimResult,
  type DeliveryId,
  type DestinationId,
  type EpochMs,
  type MessageType,
  type SourceId,
  type DeliveryRecord,
  type EndpointId,
  type EndpointState,
  epochMs,
} from "@postrider/core";
import {
  type FlatReader,
  readKeptBytes,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
  type FlatWriter,
  packFlat,
  writeKeptBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
  type AllFields,
  type Unfinished,
} from "../flat.js";
import type { Packing } from "../channel.js";

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
  const bits = takeNumber(from);
  if ((bits & HAS_FIRST_ATTEMPT) !== 0) claimed.firstAttemptAt = takeNumber(from) as EpochMs;
  if ((bits & HAS_TRACEPARENT) !== 0) claimed.traceparent = takeText(from);
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

/** An empty text means that no delivery was found. */
export const FIND_RESPONSE: Packing<DeliveryRecord | undefined> = {
  pack: (record) => {
    if (record === undefined) return { text: "" };
    const { body, endpoints, ...rest } = record;
    return packFlat((to) => {
      writeText(to, JSON.stringify(rest));
      writeList(to, endpoints, writeEndpoint);
      writeNumber(to, body === undefined ? 0 : 1);
      if (body !== undefined) writeKeptBytes(to, body);
    });
  },
  unpack: (parcel) => {
    if (parcel.text === "") return undefined;
    return unpackFlat(parcel, (from) => {
      const summary = JSON.parse(takeText(from)) as Omit<DeliveryRecord, "body" | "endpoints">;
      const endpoints = readList(from, readEndpoint);
      return takeNumber(from) === 0 ? { ...summary, endpoints } : { ...summary, endpoints, body: readKeptBytes(from) };
    });
  },
};

const IS_REFUSED = 1;

const HAS_EXCERPT = 2;

const HAS_REFUSED_AT = 4;

export function writeEndpoint(
  to: FlatWriter,
  state: AllFields<EndpointState, "endpoint" | "refused" | "refusedAt" | "excerpt">,
): void {
  const { refusedAt, excerpt } = state;
  writeShared(to, state.endpoint);
  writeNumber(
    to,
    (state.refused ? IS_REFUSED : 0) |
      (excerpt === undefined ? 0 : HAS_EXCERPT) |
      (refusedAt === undefined ? 0 : HAS_REFUSED_AT),
  );
  if (refusedAt !== undefined) writeNumber(to, refusedAt);
  if (excerpt !== undefined) writeKeptBytes(to, excerpt);
}

export function readEndpoint(from: FlatReader): EndpointState {
  const endpoint = takeSharedText(from) as EndpointId;
  const bits = takeNumber(from);
  const state: Unfinished<EndpointState> = { endpoint, refused: (bits & IS_REFUSED) !== 0 };
  if ((bits & HAS_REFUSED_AT) !== 0) state.refusedAt = epochMs(takeNumber(from));
  if ((bits & HAS_EXCERPT) !== 0) state.excerpt = readKeptBytes(from);
  return state;
}
