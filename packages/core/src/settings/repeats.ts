// Finds what a list of settings has twice. Knows neither the list nor what follows.

/** An item with the key of an earlier item, and the first item with that key. */
export interface Repeat {
  readonly index: number;
  readonly first: number;
}

/** The items that have the same key as an earlier item. Items without a key are ignored. */
export function repeats<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): readonly Repeat[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first !== undefined) return [{ index, first }];
    seen.set(key, index);
    return [];
  });
}
