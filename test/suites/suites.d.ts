// The types of suites.js, which is plain JavaScript because plain Node runs it.

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

export interface Suite {
  readonly stages: readonly (readonly Step[])[];
  readonly isInMemory: boolean;
  readonly keptRatio?: number;
}

export const SUITES: Readonly<Record<string, Suite>>;
