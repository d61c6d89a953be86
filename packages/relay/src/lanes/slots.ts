// A slot is the right of a lane to have one more delivery under way, from its reservation to its last reply (decision: slots). Here
// slots are counted, and the lanes that get the free ones are chosen. Until a claim is answered, all deliveries that it may return
// count as under way. Core decides which lane has the turn, and how much it may claim.

import { type Clock, type DestinationId, type LaneClaim, MAX_CLAIMED_LANES } from "@postrider/core";
import {
  defined,
  type ClaimGrant,
  MAX_IN_FLIGHT,
  nextTurns,
  usableSlots,
  probeRetries,
  shareRetries,
  takeTokens,
} from "@postrider/core/engine";
import { UNSETTLED_PER_SLOT } from "../limits.js";
import { earlier, type Lane } from "./lane.js";
import { createLaneQueue } from "./lane-queue.js";

export interface LaneTurns {
  /** The number of further deliveries that may be under way, over all lanes. */
  freeSlots(): number;
  /** True if a lane is ready and waits for its turn. */
  isContended(): boolean;
  /** To be called when the lane has changed. */
  readonly update: (lane: Lane) => void;
  /** Takes a slot, and a token if the lane has a rate limit. Does not check whether the lane may have one more. */
  reserve(lane: DestinationId): Slot;
  /** The claims to make now. As many deliveries as they may return count as under way until `claimsAnswered`. */
  nextClaims(): readonly LaneClaim[];
  /** To be called when the claims are answered, with the next due time of each lane; undefined if the claims failed. */
  claimsAnswered(claims: readonly LaneClaim[], nextDueAt: LaneDues | undefined): void;
  /** To be called then, once the deliveries of the claims have their slots. */
  claimsTaken(): void;
  /** Calls back once the claims under way are taken; at once if there are none. */
  afterClaims(then: () => void): void;
  /** The lanes that wait for the board. */
  readonly asking: () => ReadonlySet<Lane>;
  /** Milliseconds until there is something to claim; undefined if something must change first. */
  untilNextMs(): number | undefined;
}

type LaneDues = ReadonlyMap<DestinationId, NonNullable<Lane["nextDueAt"]>>;

interface LaneTurnsOptions {
  readonly open: (id: DestinationId) => Lane;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  /** To be called when a further lane waits for the board. */
  readonly onAsking: () => void;
}

export function createLaneTurns({ open, clock, onAsking }: LaneTurnsOptions): LaneTurns {
  let inFlight = 0;
  let unsettled = 0;
  const freeSlots = (): number => MAX_IN_FLIGHT - inFlight;
  const queue = createLaneQueue({ clock, freeSlots, onAsking });
  const counts = new WeakMap<Lane, SlotCounts>();
  /** Present while claims are under way. */
  let afterClaims: (() => void)[] | undefined;

  /** Takes slots for a lane. A negative `count` gives slots back. */
  function takeSlots(lane: Lane, count: number): void {
    lane.inFlight += count;
    inFlight += count;
  }

  /** Takes tokens of the rate limit of a lane. A negative `count` gives tokens back. */
  function spend(lane: Lane, count: number): void {
    const { rateLimit, tokens, onBoard } = lane;
    if (rateLimit === undefined) return;
    if (onBoard !== undefined) onBoard.leased = { ...onBoard.leased, left: onBoard.leased.left - count };
    else lane.tokens = takeTokens(rateLimit, tokens, count, clock.monotonic());
  }

  /** A lane with a slot stays in memory, so its slots may refer to it. */
  function countsOf(lane: Lane): SlotCounts {
    const existing = counts.get(lane);
    if (existing !== undefined) return existing;
    const slotCounts: SlotCounts = {
      countStarted: (step): void => {
        lane.running += step;
        // A round that starts in a held lane is the probe.
        if (lane.onBoard !== undefined && step > 0) lane.onBoard.probeUntil = undefined;
      },
      mayWaitWithoutSlot: () => lane.unsettled < UNSETTLED_PER_SLOT * lane.pace.limit && unsettled < MAX_IN_FLIGHT,
      countUnsettled: (step): void => {
        lane.unsettled += step;
        unsettled += step;
      },
      end: (token): void => {
        takeSlots(lane, -1);
        if (token === "refunded") spend(lane, -1);
        queue.update(lane);
      },
    };
    counts.set(lane, slotCounts);
    return slotCounts;
  }

  function claimFor({ lane: id, limit }: ClaimGrant): LaneClaim {
    const lane = open(id);
    lane.isClaiming = true;
    const claim = shareClaim(lane, limit);
    lane.dueMeanwhile = undefined;
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
      const nowMs = clock.monotonic();
      const ready = lanes.map((lane) => ({
        lane: lane.lane,
        inFlight: lane.inFlight,
        slots: usableSlots(lane, nowMs),
      }));
      const claims = nextTurns(ready, { free: freeSlots(), isAll }).map(claimFor);
      if (claims.length > 0) afterClaims = [];
      return claims;
    },
    claimsTaken: (): void => {
      const waiting = afterClaims ?? [];
      afterClaims = undefined;
      for (const then of waiting) then();
    },
    afterClaims: (then): void => {
      if (afterClaims === undefined) then();
      else afterClaims.push(then);
    },
    claimsAnswered: (claims, nextDueAt): void => {
      for (const { lane: id, limit } of claims) {
        const lane = open(id);
        lane.isClaiming = false;
        takeSlots(lane, -limit);
        spend(lane, -limit);
        if (nextDueAt !== undefined) lane.nextDueAt = earlier(nextDueAt.get(id), lane.dueMeanwhile);
        queue.update(lane);
      }
    },
    asking: queue.asking,
    untilNextMs: () => (freeSlots() > 0 ? queue.untilReadyMs() : undefined),
  };
}

/** The claim of a lane with its share of retries; from a held lane, only a probe is claimed. */
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

/** Data without methods, since each delivery has a slot: only the functions of this file read or change it. */
export interface Slot {
  readonly counts: SlotCounts;
  state: SlotState;
}

type SlotState = "reserved" | "started" | "replied" | "ended";

/** The counts that the steps of a slot change. All slots of a lane share one object. */
interface SlotCounts {
  /** Counts one more or one fewer started round of the lane. */
  countStarted(step: 1 | -1): void;
  /** True if the lane may have one more delivery that waits for its settlement without a slot. */
  mayWaitWithoutSlot(): boolean;
  /** Counts one more or one fewer such delivery. */
  countUnsettled(step: 1 | -1): void;
  /** The slot is free again. */
  end(token: "spent" | "refunded"): void;
}

/** Creates a reserved slot. In the functions below, a step that is not allowed throws, and counts nothing. */
function createSlot(counts: SlotCounts): Slot {
  return { counts, state: "reserved" };
}

/** The round of the delivery counts as started from now on. */
export function startSlot(slot: Slot): void {
  if (slot.state !== "reserved") throw wrongStep("start", slot);
  slot.state = "started";
  slot.counts.countStarted(1);
}

/** The round is not started after all; the slot is still reserved. */
export function undoSlotStart(slot: Slot): void {
  if (slot.state !== "started") throw wrongStep("undoStart", slot);
  slot.state = "reserved";
  slot.counts.countStarted(-1);
}

/**
 * The round has its last reply, and its delivery waits for its settlement: the slot is free for another delivery, since a slot bounds
 * what is under way to the receiver. If too many deliveries wait already, it is free only once it is released.
 */
export function replySlot(slot: Slot): void {
  if (slot.state !== "started") throw wrongStep("reply", slot);
  if (!slot.counts.mayWaitWithoutSlot()) return;
  slot.state = "replied";
  slot.counts.countUnsettled(1);
  slot.counts.countStarted(-1);
  slot.counts.end("spent");
}

/** Ends the slot: the delivery is settled. The rate-limit token that the slot took stays spent. */
export function releaseSlot(slot: Slot): void {
  const { state, counts } = slot;
  if (state === "ended") throw wrongStep("release", slot);
  slot.state = "ended";
  if (state === "replied") {
    counts.countUnsettled(-1);
    return;
  }
  if (state === "started") counts.countStarted(-1);
  counts.end("spent");
}

/** Ends the slot and gives its token back. Not allowed while the round counts as started. */
export function refundSlot(slot: Slot): void {
  if (slot.state !== "reserved") throw wrongStep("refund", slot);
  slot.state = "ended";
  slot.counts.end("refunded");
}

function wrongStep(step: string, { state }: Slot): Error {
  return new Error(`bug: ${step} of a slot that is ${state}`);
}
