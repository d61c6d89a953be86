// Keeps the evidence about an endpoint itself: its last success, the number of messages that it has refused since, and the number that it
// usually refuses in a row (decision: refusals).

import type { EpochMs } from "../ids.js";
import {
  MAX_USUAL_REFUSALS,
  REFUSING_FOR_MS,
  REFUSING_MESSAGES,
  REFUSING_MESSAGES_AT_ONCE,
  REFUSING_TIMES_USUAL,
  SUCCESS_NOTED_MS,
  USUAL_RUNS,
} from "../limits.js";
import type { Reply } from "../http/reply.js";
import { isForbidden, isOfOneMessage, judgeReply } from "./judge-reply.js";

/** The recent answers of an endpoint. */
export interface Standing {
  /** The instant at which it last took a message, or up to `SUCCESS_NOTED_MS` earlier; undefined if it took none. */
  readonly succeededAt: EpochMs | undefined;
  /** The number of messages that it has refused since at their first attempt. */
  readonly refused: number;
  /** The instant at which it refused the first of them. */
  readonly refusedSince: EpochMs | undefined;
  /** The id of the last of them. */
  readonly lastRefused: string | undefined;
  /** The usual number of refusals between two successes: a moving average. */
  readonly usualRefusals: number;
}

/** The standing of an endpoint that has answered nothing. */
export const NO_STANDING: Standing = {
  succeededAt: undefined,
  refused: 0,
  refusedSince: undefined,
  lastRefused: undefined,
  usualRefusals: 0,
};

/** A reply to a message, and whether no round of its delivery was recorded before. */
export interface HeardReply {
  readonly messageId: string;
  readonly isFirst: boolean;
  readonly reply: Reply;
}

/** An average below this counts as 0, so that an endpoint that refuses nothing keeps the same object. */
const NEGLIGIBLE = 1 / 16;

/**
 * The standing after a reply; the same object if nothing changes. Of its refusals only those of first attempts count, and one message
 * counts once in a row: a delivery that is tried again has mostly been refused before. A refusal of one body (413, 422) does not count, nor
 * does one by our own address policy, which does not reach the endpoint.
 */
export function afterReply(standing: Standing, { messageId, isFirst, reply }: HeardReply, now: EpochMs): Standing {
  switch (judgeReply(reply)) {
    case "success":
      return afterSuccess(standing, now);
    case "refused": {
      if (!isFirst || isForbidden(reply) || isOfOneMessage(reply)) return standing;
      if (messageId === standing.lastRefused) return standing;
      const { refused, refusedSince = now } = standing;
      return { ...standing, refused: refused + 1, refusedSince, lastRefused: messageId };
    }
    case "retry":
    case "local":
      return standing;
  }
}

function afterSuccess(standing: Standing, now: EpochMs): Standing {
  const { succeededAt, refused, usualRefusals } = standing;
  const isNoted = succeededAt !== undefined && Math.abs(now - succeededAt) < SUCCESS_NOTED_MS;
  if (isNoted && refused === 0 && usualRefusals === 0) return standing;
  const run = Math.min(refused, MAX_USUAL_REFUSALS);
  const average = succeededAt === undefined ? run : usualRefusals + (run - usualRefusals) / USUAL_RUNS;
  return { ...NO_STANDING, succeededAt: now, usualRefusals: average < NEGLIGIBLE ? 0 : average };
}

/**
 * True if the endpoint refuses whatever it gets, so that a refusal says nothing about a message: it has refused many more messages in a row
 * than it usually does. Few are enough if they took a while, since an endpoint that refuses at random refuses a few in a row too.
 */
export function isRefusing({ refused, refusedSince, usualRefusals }: Standing, now: EpochMs): boolean {
  if (refusedSince === undefined || refused < REFUSING_TIMES_USUAL * usualRefusals) return false;
  if (refused >= REFUSING_MESSAGES_AT_ONCE) return true;
  return refused >= REFUSING_MESSAGES && now - refusedSince >= REFUSING_FOR_MS;
}
