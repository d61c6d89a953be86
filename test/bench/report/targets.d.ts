// The types of targets.js, for the tests.

export interface Judged {
  readonly what: string;
  readonly values: readonly number[];
  readonly isMet: boolean;
}

export function judgeTargets(results: object): readonly Judged[];
export function missedGates(judged: readonly Judged[]): readonly Judged[];
