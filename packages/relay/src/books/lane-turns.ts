// The places that deliveries take in their lanes, and who gets those that are free. One claim is out at a time; until it is
// answered all that it may bring counts as under way. Whose turn it is, and with how much, core decides.

import {
  type DestinationId,
  type Grant,
  type LaneClaim,
  MAX_CLAIMED_LANES,
  MAX_IN_FLIGHT,
  type MonoMs,
  nextTurns,
  placesFor,
  RESERVED_IN_FLIGHT,
  shareRetries,
  takeTokens,
} from "@postrider/core";
import { earlier, type Lane } from "./lane.js";
import type { LaneQueue } from "./lane-queue.js";

export interface LaneTurns {
  /** How many fresh deliveries of all lanes together may be begun. Some places are kept for lanes that wait for their turn. */
  room(): number;
  begin(lane: DestinationId): void;
  finish(lane: DestinationId): void;
  /** The same, of one that came to nothing: its token was not spent. */
  cancel(lane: DestinationId): void;
  /** What to claim now. All of it counts as under way until the answer is here. */
  nextClaims(): readonly LaneClaim[];
  /** It is here, and says when each lane is due next; undefined if it failed. */
  answered(claims: readonly LaneClaim[], nextDueAt: LaneDues | undefined): void;
  /** For how long there will be nothing to claim; undefined if until something happens. */
  untilNextMs(): number | undefined;
}

type LaneDues = ReadonlyMap<DestinationId, NonNullable<Lane["nextDueAt"]>>;

export interface LaneTurnsOptions {
  readonly open: (id: DestinationId) => Lane;
  readonly queue: LaneQueue;
  readonly now: () => MonoMs;
}

export function createLaneTurns({ open, queue, now }: LaneTurnsOptions): LaneTurns {
  let inFlight = 0;

  /** Below 0, gives them back. */
  function takePlaces(lane: Lane, places: number): void {
    lane.inFlight += places;
    inFlight += places;
  }

  /** Below 0, gives them back. */
  function spend(lane: Lane, count: number): void {
    const { rateLimit, tokens } = lane;
    if (rateLimit !== undefined) lane.tokens = takeTokens(rateLimit, tokens, count, now());
  }

  /** `owed` is what is left of its turn: then it stays where it is. */
  function ask({ lane: id, limit }: Grant, owed: number): LaneClaim {
    const lane = open(id);
    lane.owed = owed;
    lane.isAsked = true;
    const claim = shareClaim(lane, limit);
    lane.heardMeanwhile = undefined;
    takePlaces(lane, limit);
    spend(lane, limit);
    if (owed === 0) queue.sendBack(lane);
    queue.place(lane);
    return claim;
  }

  return {
    room: () => MAX_IN_FLIGHT - inFlight - (queue.hasReady() ? RESERVED_IN_FLIGHT : 0),
    begin: (id): void => {
      const lane = open(id);
      takePlaces(lane, 1);
      spend(lane, 1);
      queue.place(lane);
    },
    finish: (id): void => {
      const lane = open(id);
      takePlaces(lane, -1);
      queue.place(lane);
    },
    cancel: (id): void => {
      const lane = open(id);
      takePlaces(lane, -1);
      spend(lane, -1);
      queue.place(lane);
    },
    nextClaims: () => {
      const room = MAX_IN_FLIGHT - inFlight;
      if (room <= 0) return [];
      const { lanes, isAll } = queue.ready(MAX_CLAIMED_LANES);
      const ready = lanes.map((lane) => ({ lane: lane.lane, places: placesFor(lane, now()), owed: lane.owed }));
      const { grants, cutShort } = nextTurns(ready, { room, isAll });
      return grants.map((grant) => ask(grant, grant.lane === cutShort?.lane ? cutShort.owed : 0));
    },
    answered: (claims, nextDueAt): void => {
      for (const { lane: id, limit } of claims) {
        const lane = open(id);
        lane.isAsked = false;
        takePlaces(lane, -limit);
        spend(lane, -limit);
        if (nextDueAt !== undefined) lane.nextDueAt = earlier(nextDueAt.get(id), lane.heardMeanwhile);
        queue.place(lane);
      }
    },
    untilNextMs: () => (inFlight < MAX_IN_FLIGHT ? queue.untilReadyMs() : undefined),
  };
}

/** Of a lane that is held, whatever is due first. */
function shareClaim(lane: Lane, limit: number): LaneClaim {
  if (lane.pace.hold !== undefined) return { lane: lane.lane, limit };
  const { retries, carry } = shareRetries(limit, lane.carry);
  lane.carry = carry;
  return { lane: lane.lane, limit, retries };
}
