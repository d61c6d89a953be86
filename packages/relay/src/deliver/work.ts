// The loop that gives lanes their turns: core says which and how much, the store hands over, rounds run. One claim at a
// time, one timer for the earliest due delivery; whoever makes work or room calls `wake`.

import {
  type Cancel,
  type Claimed,
  type DestinationId,
  type Grant,
  type LeaseToken,
  nextTurns,
  nextWake,
} from "@postrider/core";
import { newLease, type RelayContext } from "../context.js";
import { FAULT_PAUSE_MS, POLL_MS } from "../limits.js";
import { runRound } from "./run-round.js";
import { type Claim, settlePlanned } from "./settle.js";

export interface Work {
  start(): void;
  /** There may be something to do. Cheap; may be called at any time. */
  readonly wake: () => void;
  /** Takes no further turn; resolves once all rounds have ended. */
  stop(): Promise<void>;
}

export function createWork(context: RelayContext): Work {
  const rounds = new Set<Promise<void>>();
  let isRunning = false;
  let turn: Promise<void> = Promise.resolve();
  let isTurning = false;
  let isWanted = false;
  let last: DestinationId | undefined;
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
    const views = context.lanes.views(context.settings.isOpen);
    const turns = nextTurns(views, last, context.clock.wall());
    last = turns.last;
    const delayMs = turns.grants.length === 0 ? untilNextDue() : await claim(turns.grants);
    if (delayMs !== undefined) wakeAfter(delayMs);
  }

  /** Answers after how long to look again, if the claim failed; otherwise there may be more at once. */
  async function claim(grants: readonly Grant[]): Promise<number | undefined> {
    const lease = newLease(context);
    const named = grants.map((grant) => grant.lane);
    context.lanes.asked(named);
    const claimed = await context.storage.ask((store) =>
      store.claim({ lanes: grants, ...lease }, context.clock.wall()),
    );
    if (claimed.isErr()) return FAULT_PAUSE_MS;
    context.lanes.answered(named, claimed.value.nextDueAt);
    begin(claimed.value, lease.token);
    isWanted = true;
    return undefined;
  }

  function begin({ deliveries }: Claimed, token: LeaseToken): void {
    for (const delivery of deliveries) {
      const round = run({ delivery, token }).finally(() => rounds.delete(round));
      rounds.add(round);
    }
  }

  async function run(claim: Claim): Promise<void> {
    const { lane } = claim.delivery;
    if (!isRunning) {
      await settlePlanned(context, claim, { kind: "released", dueAt: context.clock.wall() });
      return;
    }
    context.lanes.begin(lane);
    const onSettled = (): void => {
      context.lanes.finish(lane);
      wake();
    };
    await runRound(context, { claim, onSettled });
  }

  /** Undefined for what is far off: the patrol wakes us every so often, and a wall clock that steps then does no harm. */
  function untilNextDue(): number | undefined {
    const dueAt = nextWake(context.lanes.views(context.settings.isOpen));
    const delayMs = dueAt === undefined ? Infinity : Math.max(0, dueAt - context.clock.wall());
    return delayMs < POLL_MS ? delayMs : undefined;
  }

  function wakeAfter(delayMs: number): void {
    cancelTimer?.();
    cancelTimer = isRunning ? context.clock.after(delayMs, wake) : undefined;
  }

  return {
    start: (): void => {
      isRunning = true;
      wake();
    },
    wake,
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      await turn;
      await Promise.all(rounds);
    },
  };
}
