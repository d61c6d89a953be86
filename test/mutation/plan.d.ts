export interface Limits {
  readonly hits: number;
  readonly moreOften: number;
  readonly testMs: number;
  readonly fileMs: number;
  readonly slower: number;
}

type Hits = Readonly<Record<string, number>>;

export interface Reach {
  readonly path: string;
  readonly loading: Hits;
  readonly hooks: Hits;
  readonly tests: readonly { readonly id: string; readonly name: string; readonly ms: number; readonly hits: Hits }[];
}

export interface Play {
  readonly id: string;
  readonly isAlone?: boolean;
  readonly isFresh: boolean;
  readonly tests: readonly string[] | null;
  readonly hitLimit: number;
  readonly testMs: number;
  readonly fileMs: number;
  readonly ms: number;
}

export type Stage = readonly { readonly path: string; readonly plays: readonly Play[] }[];

export const LIMITS: Limits;

export function planStages(
  mutants: readonly { readonly id: string; readonly file: string }[],
  files: readonly Reach[],
  limits?: Limits,
): readonly Stage[];
