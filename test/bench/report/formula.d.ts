// The types of formula.js, for the tests.

export interface Costs {
  readonly S: number;
  readonly B: number;
  readonly R: number;
  readonly C: number;
  readonly M: number;
}

export function ratioOf(costs: Costs, usedShare: number, cores?: number): number;
