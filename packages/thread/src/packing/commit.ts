// Packs the arguments of `commit`, the most frequent method.

import type { Changes, EpochMs, Lease, LeaseToken } from "@postrider/core";
import { type FlatReader, readList, takeNumber, takeSharedText, unpackFlat } from "../flat-reader.js";
import { type FlatWriter, packFlat, writeList, writeNumber, writeShared } from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import type { AllFields, Unfinished } from "./all-fields.js";
import { readMessage, writeMessage } from "./message.js";
import {
  readAppended,
  readNotified,
  readReplay,
  readTally,
  packAppended,
  writeNotified,
  writeReplay,
  writeTally,
} from "./rare-changes.js";
import { readSettlement, writeSettlement } from "./settlement.js";

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

function writeLease(to: FlatWriter, lease: AllFields<Lease, "token" | "leaseMs">): void {
  writeShared(to, lease.token);
  writeNumber(to, lease.leaseMs);
}

function readLease(from: FlatReader): Lease {
  return { token: takeSharedText(from) as LeaseToken, leaseMs: takeNumber(from) };
}
