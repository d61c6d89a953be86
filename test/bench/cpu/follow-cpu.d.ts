// The types of follow-cpu.js, for the tests.

export function followCpu(pids: readonly number[]): { readonly usedMs: () => number };
export function usedByThread(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): Map<number, number>;
