// The types of read-metrics.js, for the tests.

export interface ReadMetric {
  readonly scope: string;
  readonly name: string;
  readonly unit: string;
  readonly kind: string;
  readonly temporality: string;
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, string>>;
    readonly value: unknown;
    readonly startTime: readonly [number, number];
    readonly endTime: readonly [number, number];
  }[];
}

export function readMetrics(producer: object): Promise<{
  readonly resource: Readonly<Record<string, unknown>>;
  readonly errors: readonly unknown[];
  readonly metrics: readonly ReadMetric[];
}>;
