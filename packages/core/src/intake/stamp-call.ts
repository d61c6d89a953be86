// Gives a call its identity and its times, once, when it comes in (decision: clock skew): the server's clock is right,
// so a caller who says when it sent the call has its time corrected by the difference.

import type { EpochMs } from "../ids.js";
import { isWritable } from "../time/parse-any-timestamp.js";
import type { CheckedCall } from "./check-call.js";

/** A call with everything that its message needs. */
export interface StampedCall {
  readonly call: CheckedCall;
  readonly messageId: string;
  /** The call's own time, corrected. */
  readonly timestamp: EpochMs;
  /** The call's own time as it was sent. */
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly receivedAt: EpochMs;
}

export interface Stamp {
  /** For a call that brings none. */
  readonly messageId: string;
  /** When the batch says that it was sent. The call's own word goes first. */
  readonly sentAt?: EpochMs;
}

/** Stamps a call; `now` is the time of its receipt. */
export function stampCall(call: CheckedCall, stamp: Stamp, now: EpochMs): StampedCall {
  const sent = call.timestamp ?? call.originalTimestamp;
  const sentAt = call.sentAt ?? stamp.sentAt;
  return {
    call,
    messageId: call.messageId ?? stamp.messageId,
    timestamp: sent === undefined ? now : correct(sent, sentAt, now),
    ...(sent === undefined ? {} : { originalTimestamp: sent }),
    ...(sentAt === undefined ? {} : { sentAt }),
    receivedAt: now,
  };
}

function correct(sent: EpochMs, sentAt: EpochMs | undefined, receivedAt: EpochMs): EpochMs {
  if (sentAt === undefined) return sent;
  const corrected = receivedAt - (sentAt - sent);
  return isWritable(corrected) ? (corrected as EpochMs) : sent;
}
