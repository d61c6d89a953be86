// The loop that gives lanes their turns: core says which and how much, the store hands over, rounds run. One claim at a
// time, one timer for the earliest due delivery; whoever makes work or room calls `wake`. What comes in while its lane has
// room is handed on without a claim.

import {
  type Cancel,
  type Claimed,
  type DeliveryId,
  type DestinationId,
  type LaneClaim,
  type LeaseToken,
} from "@postrider/core";
import { newLease, type RelayContext } from "../context.js";
import { FAULT_PAUSE_MS } from "../limits.js";
import { runRound } from "./run-round.js";
import type { Claim } from "./claim.js";
import { createLine } from "./line.js";
import { settlePlanned } from "./settle.js";

export interface Work {
  start(): void;
  /** There may be something to do. Cheap; may be called at any time. */
  readonly wake: () => void;
  /** Takes no further turn; resolves once all rounds have ended. */
  stop(): Promise<void>;
}

export function createWork(context: RelayContext): Work {
  const rounds = new Set<Promise<void>>();
  const underWay = new Map<DeliveryId, Claim>();
  const line = createLine();
  let isRunning = false;
  let turn: Promise<void> = Promise.resolve();
  let isTurning = false;
  let isWanted = false;
  let cancelTimer: Cancel | undefined;

  function wake(): void {
    if (!isRunning) return;
    isWanted = true;
    if (!isTurning) turn = takeTurns();
  }

  async function takeTurns(): Promise<void> {
    isTurning = true;
    while (isRunning && isWanted) {
      isWanted = false;
      await takeTurn();
    }
    // In the same step in which the loop saw that nothing is wanted, or a call of `wake` could fall in between.
    isTurning = false;
  }

  async function takeTurn(): Promise<void> {
    const claims = context.lanes.nextClaims();
    const delayMs = claims.length === 0 ? untilNext() : await claim(claims);
    if (delayMs !== undefined) wakeAfter(delayMs);
  }

  /** Answers after how long to look again, if the claim failed; otherwise there may be more at once. */
  async function claim(lanes: readonly LaneClaim[]): Promise<number | undefined> {
    const lease = newLease(context);
    const claimed = await context.storage.ask((store) => store.claim({ lanes, ...lease }, context.clock.wall()));
    context.lanes.answered(lanes, claimed.isOk() ? claimed.value.nextDueAt : undefined);
    if (claimed.isErr()) return FAULT_PAUSE_MS;
    begin(claimed.value, lease.token);
    isWanted = true;
    return undefined;
  }

  function begin({ deliveries }: Claimed, token: LeaseToken): void {
    for (const delivery of deliveries) {
      const lease = { token, until: delivery.leaseUntil };
      const known = underWay.get(delivery.id);
      // Its lease has ended while it is out, by a clock that was set forward or a process that slept: it is still ours,
      // unless another process has recorded a round of it meanwhile.
      if (known?.delivery.rounds === delivery.rounds) {
        known.lease = lease;
        continue;
      }
      context.lanes.begin(delivery.lane);
      take({ delivery, lease });
    }
  }

  /** Begins the round of a claim whose place in the lane is taken already, or lets it stand in line. */
  function take(claim: Claim): void {
    underWay.set(claim.delivery.id, claim);
    if (isRunning && !context.lanes.mayBegin(claim.delivery.lane)) line.add(claim);
    else follow(claim, run);
  }

  /** Whoever stands in line begins, as far as there is room; where the lane is held, all go back to the store. */
  function advance(lane: DestinationId): void {
    const isHeld = context.lanes.isHeld(lane);
    while (isHeld || context.lanes.mayBegin(lane)) {
      const claim = line.next(lane);
      if (claim === undefined) return;
      follow(claim, isHeld ? giveBack : run);
    }
  }

  function follow(claim: Claim, way: (claim: Claim) => Promise<void>): void {
    const round = way(claim).finally(() => rounds.delete(round));
    rounds.add(round);
  }

  async function run(claim: Claim): Promise<void> {
    if (!isRunning) return giveBack(claim);
    const { lane } = claim.delivery;
    context.lanes.countBegun(lane, 1);
    const onSettled = (): void => {
      context.lanes.countBegun(lane, -1);
      leave(claim);
    };
    return runRound(context, { claim, onSettled });
  }

  async function giveBack(claim: Claim): Promise<void> {
    await settlePlanned(context, claim, { kind: "released", dueAt: context.clock.wall() });
    leave(claim);
  }

  function leave(claim: Claim): void {
    const { id, lane } = claim.delivery;
    if (underWay.get(id) === claim) underWay.delete(id);
    context.lanes.finish(lane);
    advance(lane);
    wake();
  }

  /** Undefined for what is far off: the patrol wakes us every so often, and a wall clock that steps then does no harm. */
  function untilNext(): number | undefined {
    const delayMs = context.lanes.untilNextMs() ?? Infinity;
    return delayMs < context.pollMs ? delayMs : undefined;
  }

  function wakeAfter(delayMs: number): void {
    cancelTimer?.();
    cancelTimer = isRunning ? context.clock.after(delayMs, wake) : undefined;
  }

  return {
    start: (): void => {
      isRunning = true;
      context.handOff.open(take);
      wake();
    },
    wake,
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      await turn;
      for (const claim of line.clear()) follow(claim, giveBack);
      await Promise.all(rounds);
    },
  };
}
