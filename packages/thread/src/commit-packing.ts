// Packs the arguments and the result of `commit`. `commit` is the most frequent method, and causes most of the cost of
// this package.

import type { Body, Changes, CommitResult, EpochMs, NewMessage, Settlement } from "@postrider/core";
import { type PackedEndpoint, packEndpoints, unpackEndpoints } from "./endpoints.js";
import {
  createJsonPacking,
  type ByteWriter,
  type ReadBytes,
  type Packing,
  createByteWriter,
  createReadViews,
} from "./parcel.js";

type CommitArgs = [changes: Changes, now: EpochMs];

interface PackedMessage extends Omit<NewMessage, "body"> {
  readonly body: number;
}

interface PackedSettlement extends Omit<Settlement, "endpoints"> {
  readonly endpoints: readonly PackedEndpoint[];
}

interface PackedChanges extends Omit<Changes, "accept" | "settle"> {
  readonly accept: readonly PackedMessage[];
  readonly settle: readonly PackedSettlement[];
}

/** Unpacks bodies as views of the received buffer, since a store copies the bytes that it keeps. */
export const COMMIT_REQUEST: Packing<CommitArgs> = {
  pack: ([changes, now]) => {
    const bytes = createByteWriter();
    const accept = changes.accept.map((message) => ({ ...message, body: bytes.add(message.body) }));
    const settle = changes.settle.map((settlement) => packSettlement(settlement, bytes));
    const packed: PackedChanges = { ...changes, accept, settle };
    return bytes.seal(JSON.stringify([packed, now]));
  },
  unpack: (parcel) => {
    const [packed, now] = JSON.parse(parcel.text) as [PackedChanges, EpochMs];
    const bytes = createReadViews(parcel);
    const accept = packed.accept.map((message) => ({ ...message, body: bytes(message.body) as Body }));
    const settle = packed.settle.map((settlement) => unpackSettlement(settlement, bytes));
    return [{ ...packed, accept, settle }, now];
  },
};

function packSettlement(settlement: Settlement, bytes: ByteWriter): PackedSettlement {
  const { endpoints } = settlement;
  return endpoints.length === 0
    ? { ...settlement, endpoints: [] }
    : { ...settlement, endpoints: packEndpoints(endpoints, bytes) };
}

function unpackSettlement(settlement: PackedSettlement, bytes: ReadBytes): Settlement {
  return { ...settlement, endpoints: unpackEndpoints(settlement.endpoints, bytes) };
}

const JSON_RESPONSE = createJsonPacking<CommitResult>();

/** An entry of `replayed` is undefined if nothing was replayed; JSON turns undefined into null. */
export const COMMIT_RESPONSE: Packing<CommitResult> = {
  pack: (committed) => JSON_RESPONSE.pack(committed),
  unpack: (parcel) => {
    const committed = JSON_RESPONSE.unpack(parcel);
    return { ...committed, replayed: committed.replayed.map((id) => id ?? undefined) };
  },
};
