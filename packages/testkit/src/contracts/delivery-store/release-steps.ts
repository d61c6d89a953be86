// Releases what two calls have held back, a number of steps far, so that a case can end their process in between. Knows no
// store.

import type { GateControl } from "./gate.js";
import { passLoopTurn } from "./loop-turn.js";

/** More accesses than two calls of the cases have. */
export const MAX_STEPS = 500;
/** How many turns of the event loop one access needs at most to reach the next. */
const TURNS_OF_A_STEP = 4;

/** Releases a number of accesses and answers, by turns of both calls. */
export async function releaseSteps(gates: GateControl, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    for (let turn = 0; turn < TURNS_OF_A_STEP; turn += 1) await passLoopTurn();
    const held = gates.held();
    held[step % Math.max(1, held.length)]?.release();
  }
  for (let turn = 0; turn < TURNS_OF_A_STEP; turn += 1) await passLoopTurn();
}
