// A queue of keys by instant, the earliest first: a heap in which an outdated item, whose key was moved or removed, may
// stay, and is skipped when it comes to the top. Reads no clock.

export interface Timeline<Key> {
  /** Sets the instant of a key, which replaces its former instant. */
  set(key: Key, at: number): void;
  delete(key: Key): void;
  /** The earliest instant; undefined if there is none. */
  next(): number | undefined;
  /** Removes and returns the earliest key, if its instant is not later than `until`. */
  take(until: number): Key | undefined;
}

interface Item<Key> {
  readonly key: Key;
  readonly at: number;
}

/** The heap is rebuilt when its outdated items exceed the valid ones by more than this number. */
const OUTDATED_ITEMS = 64;

export function createTimeline<Key>(): Timeline<Key> {
  const places = new Map<Key, Item<Key>>();
  let heap: Item<Key>[] = [];

  function first(): Item<Key> | undefined {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (places.get(top.key) === top) return top;
      removeFirst(heap);
    }
    return undefined;
  }

  return {
    set: (key, at): void => {
      if (places.get(key)?.at === at) return;
      const item = { key, at };
      places.set(key, item);
      // A sorted list is also a heap.
      if (heap.length > 2 * places.size + OUTDATED_ITEMS) heap = [...places.values()].sort((a, b) => a.at - b.at);
      else add(heap, item);
    },
    delete: (key): void => {
      places.delete(key);
    },
    next: () => first()?.at,
    take: (until) => {
      const item = first();
      if (item === undefined || item.at > until) return undefined;
      removeFirst(heap);
      places.delete(item.key);
      return item.key;
    },
  };
}

function add<Key>(heap: Item<Key>[], item: Item<Key>): void {
  let place = heap.length;
  while (place > 0) {
    const parentPlace = (place - 1) >> 1;
    const parent = heap[parentPlace];
    if (parent === undefined || parent.at <= item.at) break;
    heap[place] = parent;
    place = parentPlace;
  }
  heap[place] = item;
}

function removeFirst<Key>(heap: Item<Key>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (let child = earlierChild(heap, place); child !== undefined; child = earlierChild(heap, place)) {
    const below = heap[child];
    if (below === undefined || below.at >= last.at) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = last;
}

function earlierChild<Key>(heap: readonly Item<Key>[], place: number): number | undefined {
  const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
  if (left === undefined) return undefined;
  return right !== undefined && right.at < left.at ? 2 * place + 2 : 2 * place + 1;
}
