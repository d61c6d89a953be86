// A round: the parallel attempts of one delivery, one for each endpoint that may get it. Data only.

import type { EndpointState } from "../delivery/delivery.js";
import type { EndpointId, EpochMs } from "../ids.js";
import type { Reply } from "../http/reply.js";

/** The part of a delivery that a round needs. */
export interface RoundDelivery {
  /** The number of rounds recorded so far. */
  readonly rounds: number;
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  readonly reply: Reply;
}

/** For each endpoint on hold because of its Retry-After: when the hold ends. */
export type HoldEnds = ReadonlyMap<EndpointId, EpochMs>;
