// Plays moves of a store on a storage that fails at one access, at each in turn, beside the same move that does not fail. Knows
// neither the moves nor what has to hold.

import { atEachAccess } from "./at-each-access.js";
import type { FaultPlan } from "./gate.js";

/** A call, and what has to be there before it. */
export interface PreparedMove<Own> {
  readonly prepare: (own: Own) => Promise<void>;
  readonly call: (own: Own) => Promise<unknown>;
}

/** A move that is to fail. */
export interface FailingMove<Move> {
  readonly move: Move;
  /** What is there once the move was made without a fault. */
  readonly whole: unknown;
  readonly plan: FaultPlan;
}

export interface FailingMoves<Own, Move> {
  readonly moves: readonly Move[];
  /** All that is to be seen of the moves. */
  readonly viewOf: (own: Own) => Promise<unknown>;
  /** Makes a move that fails. Returns whether it has failed. */
  readonly playMove: (own: Own, failing: FailingMove<Move>) => Promise<boolean>;
}

export async function playFailingMoves<Own extends { anew(): Own }, Move extends PreparedMove<Own>>(
  scene: Own,
  fault: Pick<FaultPlan, "code" | "at">,
  { moves, viewOf, playMove }: FailingMoves<Own, Move>,
): Promise<void> {
  for (const move of moves) {
    const twin = scene.anew();
    await move.prepare(twin);
    await move.call(twin);
    const whole = await viewOf(twin);
    await atEachAccess(scene, fault, (own, plan) => playMove(own, { move, whole, plan }));
  }
}
