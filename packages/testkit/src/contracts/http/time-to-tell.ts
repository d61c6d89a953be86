// Plays a case about time again with twice as much of it, as long as the machine was so busy that a wrong adapter would have passed. A
// play in which the adapter fails is not repeated.

import { expectThat } from "../check.js";

const DOUBLINGS = 6;

/** `play` gets the milliseconds of one step, and resolves with whether it could have told a wrong adapter from a right one. */
export async function withTimeToTell(stepMs: number, play: (stepMs: number) => Promise<boolean>): Promise<void> {
  let ms = stepMs;
  for (let doubling = 0; doubling <= DOUBLINGS; doubling += 1) {
    if (await play(ms)) return;
    ms *= 2;
  }
  expectThat(false, `the machine is so busy that steps of ${String(ms / 2)} ms told nothing of the adapter`);
}
