// Learns in which order a store lists suppressed users. The store chooses the order, and never changes it.

import { expectThat } from "../../check.js";
import type { Model } from "./model.js";

/** Notes that the store lists these users in this order; throws if it listed two of them the other way round before. */
export function learnUserOrder(model: Model, users: readonly string[]): void {
  for (const [place, second] of users.entries()) {
    for (const first of users.slice(0, place)) learnPair(model, first, second);
  }
}

/** Notes the order of two users. */
export function learnPair(model: Model, first: string, second: string): void {
  const isTurned = first === second || model.userOrder.some(([one, other]) => one === second && other === first);
  const names = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
  expectThat(!isTurned, `the suppressed users ${names} are listed in the other order than before`);
  if (model.userOrder.some(([one, other]) => one === first && other === second)) return;
  model.userOrder.push([first, second]);
}
