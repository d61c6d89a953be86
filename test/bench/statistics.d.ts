// The types of statistics.js, for the tests.

export function lineThrough(points: readonly (readonly [number, number])[]): {
  readonly slope: number;
  readonly mean: number;
};
