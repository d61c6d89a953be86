// Claims due deliveries and starts their rounds: core decides which lanes have a turn and how much each may claim. At
// most one request for claims is under way, one timer waits for the earliest due delivery, and `wake` is called when
// there are new deliveries or free slots. A new delivery whose lane has a free slot is handed off without a claim.

import type { ClaimResult, LaneClaim, DestinationId, EpochMs } from "@postrider/core";
import { FAULT_PAUSE_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import type { EmitMeasurement } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";
import type { StoreClock } from "../fleet/clock.js";
import { type NewLease, heldLease, type HeldLease, instantOf } from "../commits/lease.js";
import type { Storage } from "../commits/storage.js";
import { refundSlot } from "../lanes/slots.js";
import type { Claim, HandOff } from "./claim.js";
import type { Rounds } from "./rounds.js";

interface DispatchContext {
  readonly clock: StoreClock;
  readonly storage: Storage;
  readonly lanes: Lanes;
  readonly rounds: Rounds;
  readonly handOff: HandOff;
  readonly newLease: NewLease;
  /** Gets the measurement of each claim. */
  readonly measure: EmitMeasurement | undefined;
  /** The interval in milliseconds at which polls wake the dispatcher. */
  readonly pollMs: number;
}

interface Dispatcher {
  start(): void;
  /** To be called when there may be something to claim. Cheap; may be called at any time. */
  readonly wake: () => void;
  /** Releases to the store the claims whose round has not begun. */
  readonly recall: () => void;
  /** Takes no further turn; resolves once all rounds have ended. */
  stop(): Promise<void>;
}

export function createDispatcher(context: DispatchContext): Dispatcher {
  const loop = createLoop(context.clock, takeTurn);
  const { rounds } = context;

  async function takeTurn(): Promise<number | undefined> {
    const claims = context.lanes.nextClaims();
    return claims.length === 0 ? untilNext() : claim(claims);
  }

  /** Returns the delay in milliseconds until the next claim if this one failed; otherwise undefined: a turn follows at once. */
  async function claim(lanes: readonly LaneClaim[]): Promise<number | undefined> {
    const lease = context.newLease();
    const askedAt = instantOf(context.clock);
    const claimed = await context.storage.ask((store) => store.claim({ lanes, ...lease }, askedAt.wall));
    context.lanes.claimsAnswered(lanes, claimed.isOk() ? claimed.value.nextDueAt : undefined);
    if (claimed.isOk()) {
      if (context.measure !== undefined) measureClaim(context.measure, claimed.value, askedAt.wall);
      begin(claimed.value, heldLease(lease, askedAt));
    }
    context.lanes.claimsTaken();
    if (claimed.isErr()) return FAULT_PAUSE_MS;
    loop.wake();
    return undefined;
  }

  function begin({ deliveries }: ClaimResult, lease: HeldLease): void {
    for (const delivery of deliveries) {
      const openClaim = rounds.claimOf(delivery.id);
      // The delivery is in a round of this process, and its lease has ended during that round, because a clock was set
      // forward or the process slept. The round gets the new lease, unless another process has recorded a round of the
      // delivery meanwhile.
      if (openClaim?.delivery.rounds === delivery.rounds) {
        openClaim.lease = lease;
        continue;
      }
      const entry = context.lanes.entry(delivery.lane, delivery.body.length);
      rounds.take({ delivery, lease, slot: context.lanes.reserve(delivery.lane), entry });
    }
  }

  /** A claim that was asked for before a clock was set back may have taken the delivery before the answer of its commit came. */
  function takeHandedOff(claim: Claim): void {
    if (rounds.claimOf(claim.delivery.id) === undefined) rounds.take(claim);
    else refundSlot(claim.slot);
  }

  /**
   * The delay in milliseconds until the next due time; undefined if a poll comes first. Each poll wakes the dispatcher,
   * so a long timer, which a step of the wall clock would make wrong, is not needed.
   */
  function untilNext(): number | undefined {
    const delayMs = context.lanes.untilNextMs() ?? Infinity;
    return delayMs < context.pollMs ? delayMs : undefined;
  }

  return {
    start: (): void => {
      rounds.open(loop.wake);
      context.handOff.open(takeHandedOff);
      loop.start();
    },
    wake: loop.wake,
    recall: rounds.recall,
    stop: async (): Promise<void> => {
      const stopped = loop.stop();
      rounds.close();
      await stopped;
      await rounds.ended();
    },
  };
}

interface ClaimedInLane {
  deliveries: number;
  overdueMs: number;
}

/** Reports for each lane how many deliveries were claimed, and since when the first of them could have been. */
function measureClaim(measure: EmitMeasurement, { deliveries }: ClaimResult, askedAt: EpochMs): void {
  const lanes = new Map<DestinationId, ClaimedInLane>();
  for (const { lane, dueAt } of deliveries) {
    const claimed = lanes.get(lane) ?? { deliveries: 0, overdueMs: 0 };
    claimed.deliveries += 1;
    claimed.overdueMs = Math.max(claimed.overdueMs, askedAt - dueAt);
    lanes.set(lane, claimed);
  }
  for (const [destination, claimed] of lanes) measure({ kind: "claimed", destination, ...claimed });
}
