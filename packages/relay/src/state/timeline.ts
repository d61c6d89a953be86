// A queue of keys by instant, the earliest first: a heap in which an entry that was moved or removed stays, and is skipped
// when it comes to the top. Reads no clock.

export interface Timeline<Key> {
  /** Sets the instant of a key, which replaces its former instant. */
  set(key: Key, at: number): void;
  delete(key: Key): void;
  /** The earliest instant; undefined if there is none. */
  next(): number | undefined;
  /** Removes and returns the earliest key, if its instant is not later than `until`. */
  take(until: number): Key | undefined;
}

interface Entry<Key> {
  readonly key: Key;
  readonly at: number;
}

/** The heap is rebuilt when its outdated entries exceed the valid ones by this number. */
const STALE_ENTRIES = 64;

export function createTimeline<Key>(): Timeline<Key> {
  const places = new Map<Key, Entry<Key>>();
  let heap: Entry<Key>[] = [];

  function first(): Entry<Key> | undefined {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (places.get(top.key) === top) return top;
      removeFirst(heap);
    }
    return undefined;
  }

  return {
    set: (key, at): void => {
      if (places.get(key)?.at === at) return;
      const entry = { key, at };
      places.set(key, entry);
      // A sorted list is also a heap.
      if (heap.length > 2 * places.size + STALE_ENTRIES) heap = [...places.values()].sort((a, b) => a.at - b.at);
      else add(heap, entry);
    },
    delete: (key): void => {
      places.delete(key);
    },
    next: () => first()?.at,
    take: (until) => {
      const entry = first();
      if (entry === undefined || entry.at > until) return undefined;
      removeFirst(heap);
      places.delete(entry.key);
      return entry.key;
    },
  };
}

function add<Key>(heap: Entry<Key>[], entry: Entry<Key>): void {
  let place = heap.length;
  while (place > 0) {
    const parentPlace = (place - 1) >> 1;
    const parent = heap[parentPlace];
    if (parent === undefined || parent.at <= entry.at) break;
    heap[place] = parent;
    place = parentPlace;
  }
  heap[place] = entry;
}

function removeFirst<Key>(heap: Entry<Key>[]): void {
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

function earlierChild<Key>(heap: readonly Entry<Key>[], place: number): number | undefined {
  const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
  if (left === undefined) return undefined;
  return right !== undefined && right.at < left.at ? 2 * place + 2 : 2 * place + 1;
}
