// The slots that deliveries take in their lanes, and which lanes get those that are free. One claim is out at a time; until
// it is answered all that it may bring counts as under way. Whose turn it is, and with how much, core decides.

import type { Clock, DestinationId, LaneClaim } from "@postrider/core";
import {
  defined,
  type Grant,
  MAX_CLAIMED_LANES,
  MAX_IN_FLIGHT,
  nextTurns,
  usableSlots,
  probeRetries,
  shareRetries,
  takeTokens,
} from "@postrider/core/engine";
import { earlier, type Lane } from "./lane.js";
import { createLaneQueue } from "./lane-queue.js";
import { createSlot, type Slot, type SlotCounts } from "./slot.js";

export interface LaneTurns {
  /** How many deliveries of all lanes together may still start. */
  freeSlots(): number;
  /** Whether a lane waits for its turn. */
  isContended(): boolean;
  /** Something of the lane has changed. */
  update(lane: Lane): void;
  /** Takes a slot, and a token of a lane that has a rate limit. Whether it may be taken was decided before. */
  reserve(lane: DestinationId): Slot;
  /** What to claim now. All of it counts as under way until the answer is here. */
  nextClaims(): readonly LaneClaim[];
  /** It is here, and says when each lane is due next; undefined if it failed. */
  claimsAnswered(claims: readonly LaneClaim[], nextDueAt: LaneDues | undefined): void;
  /** For how long there will be nothing to claim; undefined if until something happens. */
  untilNextMs(): number | undefined;
}

type LaneDues = ReadonlyMap<DestinationId, NonNullable<Lane["nextDueAt"]>>;

export interface LaneTurnsOptions {
  readonly open: (id: DestinationId) => Lane;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
}

export function createLaneTurns({ open, clock }: LaneTurnsOptions): LaneTurns {
  let inFlight = 0;
  const freeSlots = (): number => MAX_IN_FLIGHT - inFlight;
  const queue = createLaneQueue(clock, freeSlots);

  /** Below 0, gives them back. */
  function takeSlots(lane: Lane, count: number): void {
    lane.inFlight += count;
    inFlight += count;
  }

  /** Below 0, gives them back. */
  function spend(lane: Lane, count: number): void {
    const { rateLimit, tokens } = lane;
    if (rateLimit !== undefined) lane.tokens = takeTokens(rateLimit, tokens, count, clock.monotonic());
  }

  /** A lane with a slot is not forgotten, so its slots may keep it. */
  function countsOf(lane: Lane): SlotCounts {
    return {
      countStarted: (step): void => {
        lane.running += step;
      },
      end: (token): void => {
        takeSlots(lane, -1);
        if (token === "refunded") spend(lane, -1);
        queue.update(lane);
      },
    };
  }

  function ask({ lane: id, limit }: Grant): LaneClaim {
    const lane = open(id);
    lane.isClaiming = true;
    const claim = shareClaim(lane, limit);
    lane.heardMeanwhile = undefined;
    takeSlots(lane, limit);
    spend(lane, limit);
    queue.sendBack(lane);
    queue.update(lane);
    return claim;
  }

  return {
    freeSlots,
    isContended: () => queue.hasReady(),
    update: (lane): void => {
      queue.update(lane);
    },
    reserve: (id) => {
      const lane = open(id);
      takeSlots(lane, 1);
      spend(lane, 1);
      queue.update(lane);
      return createSlot(countsOf(lane));
    },
    nextClaims: () => {
      if (freeSlots() <= 0) return [];
      const { lanes, isAll } = queue.ready(MAX_CLAIMED_LANES);
      const now = clock.monotonic();
      const ready = lanes.map((lane) => ({ lane: lane.lane, inFlight: lane.inFlight, slots: usableSlots(lane, now) }));
      return nextTurns(ready, { free: freeSlots(), isAll }).map(ask);
    },
    claimsAnswered: (claims, nextDueAt): void => {
      for (const { lane: id, limit } of claims) {
        const lane = open(id);
        lane.isClaiming = false;
        takeSlots(lane, -limit);
        spend(lane, -limit);
        if (nextDueAt !== undefined) lane.nextDueAt = earlier(nextDueAt.get(id), lane.heardMeanwhile);
        queue.update(lane);
      }
    },
    untilNextMs: () => (freeSlots() > 0 ? queue.untilReadyMs() : undefined),
  };
}

/** Of a lane that is held only a probe. */
function shareClaim(lane: Lane, limit: number): LaneClaim {
  const { backoff } = lane.pace;
  if (backoff !== undefined) {
    const probe = probeRetries(backoff);
    return { lane: lane.lane, limit, ...defined({ retries: probe }) };
  }
  const { retries, carry } = shareRetries(limit, lane.carry);
  lane.carry = carry;
  return { lane: lane.lane, limit, retries };
}
