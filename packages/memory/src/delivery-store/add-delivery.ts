// Stores one new delivery of a message in its first state.

import {
  type DeadReason,
  type DeliveryId,
  deliveryId,
  type DeliveryState,
  type DestinationId,
  type EpochMs,
  type Lease,
  type LeaseToken,
  plusMs,
  type InitialState,
} from "@postrider/core";
import type { Contents, StoredDelivery, MessageContents } from "./contents.js";
import { countNotice } from "./deletions/notices.js";
import { countsOf, enterState, sizeOf } from "./move.js";

export interface NewStoredDelivery {
  readonly message: MessageContents;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf?: DeliveryId;
  readonly start: InitialState;
  readonly lease: Lease;
}

export function addDelivery(contents: Contents, toAdd: NewStoredDelivery, now: EpochMs): DeliveryId {
  const { message, destination, acceptedAt, replayOf } = toAdd;
  contents.sequence += 1;
  const { state, at, token, reason } = startFields(toAdd.start, toAdd.lease, now);
  const delivery: StoredDelivery = {
    state,
    at,
    token,
    reason,
    id: deliveryId(String(contents.sequence)),
    sequence: contents.sequence,
    place: 0,
    message,
    destination,
    acceptedAt,
    replayOf,
    wasReplayed: false,
    lapses: undefined,
    rounds: 0,
    firstAttemptAt: undefined,
    firstAttempt: undefined,
    detail: undefined,
    endpoints: [],
    attempts: [],
  };
  attach(contents, delivery);
  contents.deliveries.set(delivery.id, delivery);
  contents.history.add(delivery);
  countsOf(contents, message.source).accepted += 1;
  countNotice(contents, message, "stored");
  enterState(contents, delivery);
  return delivery.id;
}

interface StartFields {
  readonly state: DeliveryState;
  readonly at: EpochMs;
  readonly token: LeaseToken | undefined;
  readonly reason: DeadReason | undefined;
}

function startFields(start: InitialState, lease: Lease, now: EpochMs): StartFields {
  switch (start.kind) {
    case "claimed":
      return { state: "claimed", at: plusMs(now, lease.leaseMs), token: lease.token, reason: undefined };
    case "waiting":
      return { state: "waiting", at: start.dueAt, token: undefined, reason: undefined };
    case "dead":
      return { state: "dead", at: now, token: undefined, reason: start.reason };
  }
}

function attach(contents: Contents, delivery: StoredDelivery): void {
  const { message } = delivery;
  if (message.deliveries.size === 0) contents.bytes += sizeOf(message);
  message.deliveries.add(delivery);
}
