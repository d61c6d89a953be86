// Packs the results of `claim` and `find`: deliveries with their bytes.

import type { Body, ClaimResult, ClaimedDelivery, DeliveryRecord, DestinationId, EpochMs } from "@postrider/core";
import { type PackedEndpoint, packEndpoints, unpackEndpoints } from "./endpoints.js";
import { createReadCopies, type Packing, createByteWriter } from "./parcel.js";

interface PackedDelivery extends Omit<ClaimedDelivery, "body" | "endpoints"> {
  readonly body: number;
  readonly endpoints: readonly PackedEndpoint[];
}

interface PackedClaimed {
  readonly deliveries: readonly PackedDelivery[];
  readonly nextDueAt: readonly (readonly [DestinationId, EpochMs])[];
}

export const CLAIM_RESPONSE: Packing<ClaimResult> = {
  pack: ({ deliveries, nextDueAt }) => {
    const bytes = createByteWriter();
    const packed: PackedClaimed = {
      deliveries: deliveries.map((delivery) => ({
        ...delivery,
        body: bytes.add(delivery.body),
        endpoints: packEndpoints(delivery.endpoints, bytes),
      })),
      nextDueAt: [...nextDueAt],
    };
    return bytes.seal(JSON.stringify(packed));
  },
  unpack: (parcel) => {
    const { deliveries, nextDueAt } = JSON.parse(parcel.text) as PackedClaimed;
    const bytes = createReadCopies(parcel);
    return {
      deliveries: deliveries.map((delivery) => ({
        ...delivery,
        body: bytes(delivery.body) as Body,
        endpoints: unpackEndpoints(delivery.endpoints, bytes),
      })),
      nextDueAt: new Map(nextDueAt),
    };
  },
};

interface PackedRecord extends Omit<DeliveryRecord, "body" | "endpoints"> {
  readonly body?: number;
  readonly endpoints: readonly PackedEndpoint[];
}

/** An empty text means that no delivery was found. */
export const FIND_RESPONSE: Packing<DeliveryRecord | undefined> = {
  pack: (record) => {
    if (record === undefined) return { text: "" };
    const { body, endpoints, ...rest } = record;
    const bytes = createByteWriter();
    const packedBody = body === undefined ? {} : { body: bytes.add(body) };
    const packed: PackedRecord = { ...rest, ...packedBody, endpoints: packEndpoints(endpoints, bytes) };
    return bytes.seal(JSON.stringify(packed));
  },
  unpack: (parcel) => {
    if (parcel.text === "") return undefined;
    const { body, endpoints, ...rest } = JSON.parse(parcel.text) as PackedRecord;
    const bytes = createReadCopies(parcel);
    const packedBody = body === undefined ? {} : { body: bytes(body) };
    return { ...rest, ...packedBody, endpoints: unpackEndpoints(endpoints, bytes) };
  },
};
