// Starts the round of a claim when its lane allows another one; further claims wait in the backlog of their lane, first in, first
// out. A claim whose round may not start any more is released to the store. Must not know where claims come from.

import type { DeliveryId, DestinationId } from "@postrider/core";
import type { Claim } from "./claim.js";
import { type RoundsContext, type RoundSteps, runRound } from "./run-round.js";
import { ROUND_STARTS_PER_TURN } from "../limits.js";
import { createLoopQueue } from "../loop.js";
import { releaseSlot, replySlot, startSlot, undoSlotStart } from "../lanes/slots.js";
import { settlePlanned } from "./settle.js";

export interface Rounds {
  /** The claim of a delivery that is under way or in the backlog. */
  claimOf(id: DeliveryId): Claim | undefined;
  /** Starts the round of a claim, or puts the claim in the backlog. */
  readonly take: (claim: Claim) => void;
  /**
   * Releases all claims whose round has not begun. If a deletion has purged the delivery of such a claim, the delivery
   * becomes dead.
   */
  readonly recall: () => void;
  /** From now on `onFreeSlot` is called whenever a slot has become free. */
  open(onFreeSlot: () => void): void;
  /** Starts no further round: claims whose round has not begun, and those taken from now on, are released. */
  close(): void;
  /** Resolves once all rounds and releases under way have ended. */
  ended(): Promise<void>;
}

export function createRounds(context: RoundsContext): Rounds {
  /** Rounds and releases that have not ended. */
  let openCount = 0;
  let endListeners: (() => void)[] = [];
  const underWay = new Map<DeliveryId, Claim>();
  const backlog = createBacklog();
  // Many rounds may be ready to start at once: a claim returns up to one delivery for each free slot, and a commit
  // hands off up to one for each of its rows.
  const starts = createLoopQueue<Claim>(context.clock, {
    limit: ROUND_STARTS_PER_TURN,
    run: (claim) => {
      openCount += 1;
      runRound(context, claim, steps);
    },
  });
  let onFreeSlot = (): void => undefined;
  let isClosed = false;

  /**
   * Starts as many claims of the backlog as the lane allows; if the lane is held, releases all its claims of the
   * backlog.
   */
  function advance(lane: DestinationId): void {
    const isHeld = context.lanes.isHeld(lane);
    while (isHeld || context.lanes.mayStart(lane)) {
      const claim = backlog.takeFirst(lane);
      if (claim === undefined) return;
      if (isHeld) release(claim);
      else start(claim);
    }
  }

  /** The lane counts the round as started from now on, although the round may have to wait for a later loop turn. */
  function start(claim: Claim): void {
    startSlot(claim.slot);
    starts.add(claim);
  }

  const steps: RoundSteps = {
    onReplied: (claim) => {
      replySlot(claim.slot);
      goOn(claim.delivery.lane);
    },
    onSettled: leave,
    onEnded,
  };

  function onEnded(): void {
    openCount -= 1;
    if (openCount > 0) return;
    for (const end of endListeners) end();
    endListeners = [];
  }

  function release(claim: Claim): void {
    openCount += 1;
    settlePlanned(context, claim, { kind: "released", dueAt: context.clock.wall() }, () => {
      leave(claim);
      onEnded();
    });
  }

  function recall(): void {
    const claims = starts.clear();
    for (const { slot } of claims) undoSlotStart(slot);
    for (const claim of [...claims, ...backlog.clear()]) release(claim);
  }

  function leave(claim: Claim): void {
    const { id, lane } = claim.delivery;
    if (underWay.get(id) === claim) underWay.delete(id);
    releaseSlot(claim.slot);
    goOn(lane);
  }

  /** A slot of the lane may be free. */
  function goOn(lane: DestinationId): void {
    advance(lane);
    onFreeSlot();
  }

  return {
    claimOf: (id) => underWay.get(id),
    take: (claim): void => {
      underWay.set(claim.delivery.id, claim);
      // The lane may have begun to rest before the claim was answered.
      if (isClosed || context.lanes.isResting(claim.delivery.lane)) release(claim);
      else if (context.lanes.mayStart(claim.delivery.lane)) start(claim);
      else backlog.add(claim);
    },
    recall,
    open: (listener): void => {
      onFreeSlot = listener;
    },
    close: (): void => {
      isClosed = true;
      recall();
    },
    ended: () =>
      new Promise((resolve) => {
        if (openCount === 0) resolve();
        else endListeners.push(resolve);
      }),
  };
}

interface Backlog {
  add(claim: Claim): void;
  /** Removes and returns the first claim of a lane; undefined if there is none. */
  takeFirst(lane: DestinationId): Claim | undefined;
  /** Removes and returns the claims of all lanes. */
  clear(): readonly Claim[];
}

function createBacklog(): Backlog {
  const lanes = new Map<DestinationId, Claim[]>();
  return {
    add: (claim): void => {
      const queue = lanes.get(claim.delivery.lane);
      if (queue === undefined) lanes.set(claim.delivery.lane, [claim]);
      else queue.push(claim);
    },
    takeFirst: (lane) => {
      const queue = lanes.get(lane);
      const first = queue?.shift();
      if (queue?.length === 0) lanes.delete(lane);
      return first;
    },
    clear: () => {
      const claims = [...lanes.values()].flat();
      lanes.clear();
      return claims;
    },
  };
}
