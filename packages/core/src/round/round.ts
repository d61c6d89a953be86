// A round: the parallel attempts of one delivery, one for each endpoint that may have it.

import type { EndpointState } from "../delivery/delivery.js";
import type { EndpointId, EpochMs } from "../ids.js";
import type { Reply } from "../http/reply.js";

/** A delivery as a round sees it. */
export interface RoundDelivery {
  /** Rounds recorded so far. */
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

/** Until when endpoints have asked to be left alone. */
export type Holds = ReadonlyMap<EndpointId, EpochMs>;
