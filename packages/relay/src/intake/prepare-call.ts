// Prepares one call: the decoder reads it; core decides whether it may pass, where it goes and what is delivered. Only the order
// of these steps is decided here. The fields that a batch shares are read once, before its calls (decision: request cost).
// Parts of a call without effect, such as `traits` on a track call, are logged for the operator (decision: log limits).

import { type ReceivedCall, readReceivedCall } from "../settings/index.js";
import {
  type Body,
  type CallWarning,
  type JsonObject,
  MAX_IMPRECISE_TOLD,
  MAX_MESSAGE_ID_LENGTH,
  type Random,
  type Refusal,
  type EpochMs,
  type CallKind,
} from "@postrider/core";
import {
  type CheckedCall,
  defined,
  encodeMessage,
  encodeWithContext,
  isPlainObject,
  mapCall,
  routeCall,
  type RoutedCall,
  stampCall,
  type StampedCall,
  usersOf,
  writeMessageId,
  readSharedInSteps,
  sampledTraceparent,
  type SharedObjects,
  type Steps,
  hasMisspeltAll,
} from "@postrider/core/engine";
import type { EmitEvent, Slip } from "../relay-event.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Draft } from "./reserve.js";
import type { Arrival } from "../relay.js";

/** Needed to turn a call into a draft, or to refuse it. */
export interface PrepareContext {
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly emit: EmitEvent;
}

/** The data that all calls of an arrival have in common. */
export interface ArrivalData {
  readonly arrival: Arrival;
  /** Undefined if nothing is shared; `unreadable` if reading an object of the host throws. */
  readonly shared: SharedObjects | "unreadable" | undefined;
  /** The time of receipt. */
  readonly now: EpochMs;
  /** The span of the arrival, if it is one to store. */
  readonly traceparent: string | undefined;
  /** See `NewMessage`. */
  readonly asOf?: number;
}

/**
 * A call that is ready to be stored, or its refusal. `cost` is that of reading it, in UTF-16 units of text, plus the
 * bytes of its body.
 */
export type PreparedCall =
  | { readonly kind: "ok"; readonly draft: Draft; readonly cost: number }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly cost: number; readonly messageId?: string };

/** Reads the fields that the calls share. Nearly all arrivals need one step. */
export function* readArrivalInSteps(arrival: Arrival, about: Pick<ArrivalData, "now" | "asOf">): Steps<ArrivalData> {
  const traceparent = sampledTraceparent(arrival.traceparent);
  const shared = arrival.shared === undefined ? undefined : yield* readSharedFields(arrival.shared);
  return { arrival, shared, traceparent, ...about };
}

function* readSharedFields(shared: NonNullable<Arrival["shared"]>): Steps<ArrivalData["shared"]> {
  try {
    const fields = yield* readSharedInSteps(shared);
    const isEmpty = fields.context === undefined && fields.integrations === undefined;
    return isEmpty ? undefined : fields;
  } catch {
    return "unreadable";
  }
}

/** Prepares one call of an arrival. */
export function prepareCall(context: PrepareContext, call: unknown, intake: ArrivalData): PreparedCall {
  try {
    const prepared = prepareUnguarded(context, call, intake);
    return prepared.kind === "refused" ? { ...prepared, ...defined({ messageId: messageIdIn(call) }) } : prepared;
  } catch {
    // Only an object of the host can cause this, by a getter or a `toJSON` that throws.
    return UNREADABLE;
  }
}

/** The messageId that a call would have been stored with. */
function messageIdIn(call: unknown): string | undefined {
  const id = isPlainObject(call) && Object.hasOwn(call, "messageId") ? call["messageId"] : undefined;
  return typeof id === "string" && id !== "" && id.length <= MAX_MESSAGE_ID_LENGTH ? id : undefined;
}

const UNREADABLE: PreparedCall = refusedCall({
  code: "not-an-object",
  path: "",
  expected: "a call that JSON can carry",
});

function prepareUnguarded(context: PrepareContext, call: unknown, intake: ArrivalData): PreparedCall {
  if (!isPlainObject(call)) return refusedCall({ code: "not-an-object", path: "", expected: "an object" });
  const { arrival, shared } = intake;
  if (shared === "unreadable") return UNREADABLE;
  const received = readReceivedCall(call, arrival.kind, shared);
  if (received.kind === "refused") return received;

  emitSlips(context.emit, { raw: call, call: received.call }, intake);
  const stamped = stamp(context.random, received.call, intake);
  const body = writeBody(stamped, received.context);
  const draft = writeDraft(
    context.settings,
    { stamped, body, warnings: warningsOf(received, stamped, intake) },
    intake,
  );
  return { kind: "ok", draft, cost: received.cost + body.length };
}

interface Decoded {
  readonly raw: JsonObject;
  readonly call: CheckedCall;
}

function emitSlips(emit: EmitEvent, { raw, call }: Decoded, { arrival, shared }: ArrivalData): void {
  const { integrations = sharedIntegrations(shared), type } = call;
  for (const slip of slipsOf(raw, type, integrations)) emit({ kind: "slip", source: arrival.source, slip });
}

function sharedIntegrations(shared: ArrivalData["shared"]): JsonObject | undefined {
  return typeof shared === "object" ? shared.integrations?.fields : undefined;
}

/** For each kind of call, an object that only other kinds have: it is dropped from a call of this kind. */
const DROPPED: Readonly<Record<CallKind, "traits" | "properties" | undefined>> = {
  identify: "properties",
  group: "properties",
  track: "traits",
  page: "traits",
  screen: "traits",
  alias: undefined,
};

/** One list for all calls without slips, since nearly all calls have none. */
const NONE: readonly Slip[] = [];

/** The slips of a decoded call; `raw` is the call as received. */
export function slipsOf(raw: JsonObject, kind: CallKind, integrations: JsonObject | undefined): readonly Slip[] {
  const dropped = DROPPED[kind];
  const isDropped = dropped !== undefined && Object.hasOwn(raw, dropped) && isFilledObject(raw[dropped]);
  const isMisspelt = hasMisspeltAll(integrations);
  if (!isDropped && !isMisspelt) return NONE;
  return [
    ...(isDropped ? [`${kind}-${dropped}` as const] : []),
    ...(isMisspelt ? (["all-in-another-case"] as const) : []),
  ];
}

function isFilledObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length > 0;
}

function stamp(random: Random, call: CheckedCall, { arrival, now }: ArrivalData): StampedCall {
  const messageId = call.messageId ?? writeMessageId(random.bytes(16));
  return stampCall(call, { messageId, sentAt: arrival.shared?.sentAt }, now);
}

/** Writes the body of a call. `context` is the merged context of the call as JSON, if its batch shares a context. */
function writeBody(stamped: StampedCall, context: string | undefined): Body {
  if (context === undefined) return encodeMessage(mapCall(stamped));
  const { call } = stamped;
  const bare = call.context === undefined ? stamped : { ...stamped, call: { ...call, context: {} } };
  return encodeWithContext(mapCall(bare), context);
}

interface DraftParts {
  readonly stamped: StampedCall;
  readonly body: Body;
  readonly warnings: Draft["warnings"];
}

/** Undefined for nearly all calls, which have nothing to tell. */
function warningsOf(
  { imprecise, unread }: Extract<ReceivedCall, { readonly kind: "ok" }>,
  { sentAt, isAhead }: StampedCall,
  { arrival }: ArrivalData,
): Draft["warnings"] {
  const isSentAtUnread = arrival.shared?.isSentAtUnread === true && sentAt === undefined;
  if (imprecise === undefined && unread === undefined && isAhead !== true && !isSentAtUnread) return undefined;
  const dates = new Set([...(unread ?? []), ...(isSentAtUnread ? ["sentAt"] : [])]);
  return [
    ...(imprecise ?? []).slice(0, MAX_IMPRECISE_TOLD).map((path) => warning("imprecise-number", path)),
    ...[...dates].map((path) => warning("unread-date", path)),
    ...(isAhead === true ? [warning("date-ahead", "timestamp")] : []),
  ];
}

function warning(code: CallWarning["code"], path: string): CallWarning {
  return { code, path };
}

function writeDraft(settings: SettingsInForce, { stamped, body, warnings }: DraftParts, intake: ArrivalData): Draft {
  const { messageId, receivedAt, call } = stamped;
  const { source } = intake.arrival;
  const { delivery } = settings.workspace();
  const connected = settings.connectedTo(source);
  const route = routeCall(routedCall(stamped, intake), connected, delivery.historicalAfterMs, receivedAt);
  const message: Draft["message"] = {
    source,
    messageId,
    type: call.type,
    receivedAt,
    userIds: usersOf(call),
    body,
    filtered: route.filtered,
  };
  const { traceparent, asOf } = intake;
  return {
    message:
      traceparent === undefined && asOf === undefined ? message : { ...message, ...defined({ traceparent, asOf }) },
    destinations: route.deliver,
    warnings,
  };
}

function routedCall({ timestamp, call }: StampedCall, { arrival, shared }: ArrivalData): RoutedCall {
  const { integrations } = call;
  const { source } = arrival;
  const ofBatch = sharedIntegrations(shared);
  // Nearly all calls have no `integrations`.
  if (integrations === undefined && ofBatch === undefined) return { source, timestamp };
  return {
    source,
    timestamp,
    ...(integrations === undefined ? {} : { integrations }),
    ...(ofBatch === undefined ? {} : { sharedIntegrations: ofBatch }),
  };
}

function refusedCall(refusal: Refusal, cost = 0): Extract<PreparedCall, { readonly kind: "refused" }> {
  return { kind: "refused", refusal, cost };
}
