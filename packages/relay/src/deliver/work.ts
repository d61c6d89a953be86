// The loop that gives lanes their turns: core says which and how much, the store hands over, rounds run. One claim at a
// time, one timer for the earliest due delivery; whoever makes work or room calls `wake`. What comes in while its lane has
// room is handed on without a claim.

import type { Cancel, Claimed, LaneClaim } from "@postrider/core";
import { newLease, type RelayContext } from "../context.js";
import { FAULT_PAUSE_MS } from "../limits.js";
import { heldLease, type HeldLease, instantOf } from "../storage/held-lease.js";
import { createRounds } from "./rounds.js";

export interface Work {
  start(): void;
  /** There may be something to do. Cheap; may be called at any time. */
  readonly wake: () => void;
  /** What is ours and has not begun goes back to the store. */
  readonly recall: () => void;
  /** Takes no further turn; resolves once all rounds have ended. */
  stop(): Promise<void>;
}

export function createWork(context: RelayContext): Work {
  const rounds = createRounds(context, wake);
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
    const asked = instantOf(context.clock);
    const claimed = await context.storage.ask((store) => store.claim({ lanes, ...lease }, asked.wall));
    context.lanes.answered(lanes, claimed.isOk() ? claimed.value.nextDueAt : undefined);
    if (claimed.isErr()) return FAULT_PAUSE_MS;
    begin(claimed.value, heldLease(lease, asked));
    isWanted = true;
    return undefined;
  }

  function begin({ deliveries }: Claimed, held: HeldLease): void {
    for (const delivery of deliveries) {
      const lease = { ...held, until: delivery.leaseUntil };
      const known = rounds.claimOf(delivery.id);
      // Its lease has ended while it is out, by a clock that was set forward or a process that slept: it is still ours,
      // unless another process has recorded a round of it meanwhile.
      if (known?.delivery.rounds === delivery.rounds) {
        known.lease = lease;
        continue;
      }
      context.lanes.begin(delivery.lane);
      rounds.take({ delivery, lease });
    }
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
      context.handOff.open(rounds.take);
      wake();
    },
    wake,
    recall: rounds.recall,
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      rounds.close();
      await turn;
      await rounds.ended();
    },
  };
}
