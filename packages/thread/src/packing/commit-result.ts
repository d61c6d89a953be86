// Packs the result of `commit`.

import type { AcceptResult, CommitResult, DeliveryId, SettleResult } from "@postrider/core";
import {
  damaged,
  type FlatReader,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
} from "../flat-reader.js";
import { type FlatWriter, packFlat, writeList, writeNumber, writeShared, writeText } from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import type { AllFields } from "./all-fields.js";

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
  throw damaged();
}
