// The types of price.js, which is plain JavaScript because plain Node runs it.

export interface Price {
  readonly wallMs: number;
  /** Undefined where the platform does not tell it. */
  readonly cpuMs: number | undefined;
  readonly referenceMs: number;
  readonly keptRatio: number | undefined;
  /** The file in which the reporter has noted a line for each test file. */
  readonly durations: string;
}

export function createReference(): { run(): void; cpuMs(): number };
export function cpuOfChildrenMs(): number | undefined;
export function describePrice(price: Price): string;
