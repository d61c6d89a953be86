// Counts how many of some times fall into the same second, wherever that second begins.

/** The most times within any second. */
export function fullestSecond(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [last, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
