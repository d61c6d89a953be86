export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly before: string;
}

export function instrument(where: {
  readonly root: string;
  readonly copy: string;
  readonly paths: readonly string[];
}): Promise<readonly Mutant[]>;
