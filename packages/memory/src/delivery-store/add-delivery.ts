// Stores one new delivery of a message, in the state in which it starts.

import type {
  DeadReason,
  DeliveryId,
  DeliveryState,
  DestinationId,
  EpochMs,
  Lease,
  LeaseToken,
  Start,
} from "@postrider/core";
import type { Contents, StoredDelivery, StoredMessage } from "./contents.js";
import { countNotice } from "./deletions/notices.js";
import { countsOf, enter, sizeOf } from "./move.js";

export interface NewcomerDelivery {
  readonly message: StoredMessage;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf?: DeliveryId;
  readonly start: Start;
  readonly lease: Lease;
}

export function addDelivery(contents: Contents, newcomer: NewcomerDelivery, now: EpochMs): DeliveryId {
  const { message, destination, acceptedAt, replayOf } = newcomer;
  contents.sequence += 1;
  const delivery: StoredDelivery = {
    ...beginning(newcomer.start, newcomer.lease, now),
    id: String(contents.sequence) as DeliveryId,
    sequence: contents.sequence,
    place: 0,
    message,
    destination,
    acceptedAt,
    replayOf,
    wasReplayed: false,
    rounds: 0,
    firstAttemptAt: undefined,
    detail: undefined,
    endpoints: [],
    attempts: [],
  };
  hold(contents, delivery);
  contents.deliveries.set(delivery.id, delivery);
  contents.history.add(delivery);
  countsOf(contents, message.source).accepted += 1;
  countNotice(contents, message, "stored");
  enter(contents, delivery);
  return delivery.id;
}

interface Beginning {
  readonly state: DeliveryState;
  readonly at: EpochMs;
  readonly token: LeaseToken | undefined;
  readonly reason: DeadReason | undefined;
}

function beginning(start: Start, lease: Lease, now: EpochMs): Beginning {
  switch (start.kind) {
    case "claimed":
      return { state: "claimed", at: (now + lease.leaseMs) as EpochMs, token: lease.token, reason: undefined };
    case "waiting":
      return { state: "waiting", at: start.dueAt, token: undefined, reason: undefined };
    case "dead":
      return { state: "dead", at: now, token: undefined, reason: start.reason };
  }
}

function hold(contents: Contents, delivery: StoredDelivery): void {
  const { message } = delivery;
  if (message.deliveries.size === 0) contents.bytes += sizeOf(message);
  message.deliveries.add(delivery);
}
