// Takes one call in: the decoder says what it is, core says whether it may pass, where it goes and what is delivered.
// Nothing is stored yet, and nothing is decided here but the order of the questions.

import { decodeCall } from "@postrider/codec";
import {
  checkCall,
  checkCallJson,
  encodeMessage,
  type EpochMs,
  isPlainObject,
  type JsonObject,
  mapCall,
  mergeShared,
  type Refusal,
  type Route,
  routeCall,
  stampCall,
  type StampedCall,
  usersOf,
  writeMessageId,
} from "@postrider/core";
import type { NewMessage } from "@postrider/core";
import type { RelayContext } from "../context.js";
import type { Arrival } from "../relay.js";
import { slipsOf } from "./look-for-slips.js";
import { startDeliveries } from "./start-deliveries.js";

export type TakenIn =
  { readonly kind: "message"; readonly message: NewMessage } | { readonly kind: "refused"; readonly refusal: Refusal };

/** Takes in one call of an arrival; `now` is the time of its receipt. */
export function takeIn(context: RelayContext, call: unknown, arrival: Arrival, now: EpochMs): TakenIn {
  try {
    const merged = readCall(call, arrival);
    return merged.kind === "refused" ? merged : takeMerged(context, merged.call, arrival, now);
  } catch {
    // Only a host's own object can do this: a getter or a toJSON that throws.
    return refused({ code: "not-an-object", path: "", expected: "a call that JSON can carry" });
  }
}

type ReadCall = { readonly kind: "read"; readonly call: JsonObject } | Extract<TakenIn, { readonly kind: "refused" }>;

function readCall(call: unknown, { shared }: Arrival): ReadCall {
  if (!isPlainObject(call)) return refused({ code: "not-an-object", path: "", expected: "an object" });
  const merged = shared === undefined ? call : mergeShared(call, shared);
  const refusal = checkCallJson(merged);
  return refusal === undefined ? { kind: "read", call: merged } : refused(refusal);
}

function takeMerged(context: RelayContext, call: JsonObject, arrival: Arrival, now: EpochMs): TakenIn {
  const decoded = decodeCall(call, arrival.kind);
  if (decoded.kind === "refused") return decoded;
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") return checked;

  const { source } = arrival;
  for (const slip of slipsOf(call, checked.call.type, checked.call.integrations)) {
    context.tell({ kind: "slip", source, slip });
  }
  const messageId = checked.call.messageId ?? writeMessageId(context.random.bytes(16));
  const sentAt = arrival.shared?.sentAt;
  const stamped = stampCall(checked.call, { messageId, ...(sentAt === undefined ? {} : { sentAt }) }, now);
  return { kind: "message", message: writeMessage(context, stamped, arrival) };
}

function writeMessage(context: RelayContext, stamped: StampedCall, { source }: Arrival): NewMessage {
  const { messageId, receivedAt, timestamp, call } = stamped;
  const { delivery } = context.settings.workspace();
  const { integrations } = call;
  const routed = integrations === undefined ? { source, timestamp } : { source, timestamp, integrations };
  const connected = context.settings.connectedTo(source);
  const route: Route = routeCall(routed, connected, delivery.historicalAfterMs, receivedAt);
  const body = encodeMessage(mapCall(stamped));
  return {
    source,
    messageId,
    type: call.type,
    receivedAt,
    userIds: usersOf(call),
    body,
    deliveries: startDeliveries(context, route.deliver, { size: body.length, now: receivedAt }),
    filtered: route.filtered,
  };
}

function refused(refusal: Refusal): Extract<TakenIn, { readonly kind: "refused" }> {
  return { kind: "refused", refusal };
}
