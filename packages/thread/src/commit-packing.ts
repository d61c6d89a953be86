// How a commit crosses, and what came of it. It is what crosses most often, and the costs of it are this package's.

import type { Body, Changes, Committed, EpochMs, NewMessage, Settlement } from "@postrider/core";
import { type PackedEndpoint, packEndpoints, unpackEndpoints } from "./endpoints.js";
import { asJson, type BytesIn, type BytesOut, type Packing, packBytes, viewBytes } from "./parcel.js";

type Committing = [changes: Changes, now: EpochMs];

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

/** A store keeps none of the bytes that it is handed, so views of them will do. */
export const COMMITTING: Packing<Committing> = {
  pack: ([changes, now]) => {
    const bytes = packBytes();
    const accept = changes.accept.map((message) => ({ ...message, body: bytes.add(message.body) }));
    const settle = changes.settle.map((settlement) => packSettlement(settlement, bytes));
    const packed: PackedChanges = { ...changes, accept, settle };
    return bytes.seal(JSON.stringify([packed, now]));
  },
  unpack: (parcel) => {
    const [packed, now] = JSON.parse(parcel.text) as [PackedChanges, EpochMs];
    const bytes = viewBytes(parcel);
    const accept = packed.accept.map((message) => ({ ...message, body: bytes(message.body) as Body }));
    const settle = packed.settle.map((settlement) => unpackSettlement(settlement, bytes));
    return [{ ...packed, accept, settle }, now];
  },
};

function packSettlement(settlement: Settlement, bytes: BytesIn): PackedSettlement {
  const { endpoints } = settlement;
  return endpoints.length === 0
    ? { ...settlement, endpoints: [] }
    : { ...settlement, endpoints: packEndpoints(endpoints, bytes) };
}

function unpackSettlement(settlement: PackedSettlement, bytes: BytesOut): Settlement {
  return { ...settlement, endpoints: unpackEndpoints(settlement.endpoints, bytes) };
}

const JSON_COMMITTED = asJson<Committed>();

/** What is not replayed is a hole in its list, which JSON fills. */
export const COMMITTED: Packing<Committed> = {
  pack: (committed) => JSON_COMMITTED.pack(committed),
  unpack: (parcel) => {
    const committed = JSON_COMMITTED.unpack(parcel);
    return { ...committed, replayed: committed.replayed.map((id) => id ?? undefined) };
  },
};
