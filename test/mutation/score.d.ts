/** A share in percent, and the interval in which it lies with 95 %. */
export interface Score {
  readonly score: number;
  readonly from: number;
  readonly until: number;
}

export function scoreOf(caught: number, all: number): Score;

export function sample<T>(items: readonly T[], count: number, seed: number): readonly T[];
