// Whether a claim took from a lane what it had to: the earliest due of each kind, up to the limit. A delivery that is out of
// reach ends as soon as it is met; a store may then stop at its limit of deliveries met, or of deliveries claimed.

import type { LaneClaim } from "@postrider/core";
import { expectEqual, expectThat } from "../../check.js";
import type { ModelDelivery } from "./model.js";

export interface TakenDeliveries {
  /** All that could be claimed of the lane, earliest due first. */
  readonly due: readonly ModelDelivery[];
  readonly claimed: readonly ModelDelivery[];
  /** Those out of reach that became dead instead. */
  readonly ended: readonly ModelDelivery[];
}

/** Compares each kind separately if the claim has `retries`: the store may choose the order of kinds. */
export function expectDue({ due, claimed, ended }: TakenDeliveries, { lane, limit, retries }: LaneClaim): void {
  const what = `since when the deliveries claimed of lane ${lane} were due`;
  expectThat(claimed.length <= limit, `a claim of lane ${lane} has more deliveries than its limit`);
  const least = Math.min(due.length, limit);
  const met = [...claimed, ...ended];
  const isFull = ended.length === 0 ? met.length === least : met.length >= least;
  expectThat(isFull, `${String(met.length)} deliveries of lane ${lane} were claimed, not ${String(least)}`);
  for (const { of, share } of kindsOf(due, limit, retries)) {
    const taken = met.filter(of);
    const expected = due.filter(of).slice(0, taken.length);
    expectEqual(timesOf(taken).toSorted(ascending), timesOf(expected), what);
    expectEqual(timesOf(claimed.filter(of)), timesOf(claimed.filter(of)).toSorted(ascending), `the order of ${what}`);
    expectThat(taken.length >= share, `${String(taken.length)} of a kind are claimed, whose share is ${String(share)}`);
  }
}

interface Kind {
  readonly of: (delivery: ModelDelivery) => boolean;
  /** How many of the kind are met at least. */
  readonly share: number;
}

function kindsOf(due: readonly ModelDelivery[], limit: number, retries: number | undefined): readonly Kind[] {
  if (retries === undefined) return [{ of: () => true, share: 0 }];
  const count = (of: Kind["of"]): number => due.filter(of).length;
  return [
    { of: isTried, share: Math.min(count(isTried), retries) },
    { of: isUntried, share: Math.min(count(isUntried), limit - retries) },
  ];
}

function isTried({ rounds }: ModelDelivery): boolean {
  return rounds > 0;
}

function isUntried({ rounds }: ModelDelivery): boolean {
  return rounds === 0;
}

function timesOf(deliveries: readonly ModelDelivery[]): readonly number[] {
  return deliveries.map(({ at }) => at);
}

function ascending(one: number, other: number): number {
  return one - other;
}
