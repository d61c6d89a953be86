// Gives a call its messageId and its times when it is received (decision: clock skew): the server's clock counts as right, so a time
// is corrected by the difference between `sentAt` and the receipt. Also decides which `traceparent` of a host is worth storing: a
// valid one of a span that is recorded, since a link to any other leads nowhere (decision: tracing).

import { type EpochMs, epochMs } from "../ids.js";
import { MAX_AHEAD_MS } from "../limits.js";
import { hasFourDigitYear } from "../time/parse-any-timestamp.js";
import type { CheckedCall } from "./check-call.js";

/** Version, trace id, span id and flags, in lower case; neither id may be zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

const SAMPLED = 1;

/** A call with all values that its message needs. */
export interface StampedCall {
  readonly call: CheckedCall;
  readonly messageId: string;
  /** The time of the call, corrected by the clock skew. */
  readonly timestamp: EpochMs;
  /** The time of the call as the caller sent it; absent if the call had no time. */
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly receivedAt: EpochMs;
  /** The corrected time was more than a day after the receipt, so `timestamp` is the time of receipt. */
  readonly isAhead?: true;
}

/** Values for fields that a call does not have. */
interface Stamp {
  /** For a call without a messageId. */
  readonly messageId: string;
  /** The `sentAt` of the batch. The call's own `sentAt` has precedence. */
  readonly sentAt?: EpochMs | undefined;
}

/**
 * Stamps a call; `now` is when the call was received. With `sentAt`, the call's time becomes `now - (sentAt - timestamp)`, or `now`
 * if that is more than a day after `now`; if that is before the year 0001, the time stays as it is. A call without a time gets
 * `now`.
 */
export function stampCall(call: CheckedCall, stamp: Stamp, now: EpochMs): StampedCall {
  const callTime = call.timestamp ?? call.originalTimestamp;
  const sentAt = call.sentAt ?? stamp.sentAt;
  const messageId = call.messageId ?? stamp.messageId;
  const timestamp = callTime === undefined ? now : correctTime(callTime, sentAt, now);
  const stamped: Draft = { call, messageId, timestamp, receivedAt: now };
  if (callTime !== undefined) stamped.originalTimestamp = callTime;
  if (sentAt !== undefined) stamped.sentAt = sentAt;
  if (isAhead(callTime, sentAt)) stamped.isAhead = true;
  return stamped;
}

type Draft = { -readonly [Name in keyof StampedCall]: StampedCall[Name] };

/** A call cannot have happened long after it was sent: a clock was set back in between. */
function isAhead(callTime: EpochMs | undefined, sentAt: EpochMs | undefined): boolean {
  return callTime !== undefined && sentAt !== undefined && callTime - sentAt > MAX_AHEAD_MS;
}

function correctTime(callTime: EpochMs, sentAt: EpochMs | undefined, receivedAt: EpochMs): EpochMs {
  if (sentAt === undefined) return callTime;
  if (isAhead(callTime, sentAt)) return receivedAt;
  const corrected = receivedAt - (sentAt - callTime);
  return hasFourDigitYear(corrected) ? epochMs(corrected) : callTime;
}

/** The text as it was given, if it is a `traceparent` of a sampled span; undefined otherwise. */
export function sampledTraceparent(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const flags = TRACEPARENT.exec(text)?.[1];
  if (flags === undefined) return undefined;
  return (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED ? text : undefined;
}
