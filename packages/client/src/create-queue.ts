// A first-in, first-out queue that counts the bytes of its items.

export interface Queue<T> {
  add(item: T): void;
  size(): number;
  bytes(): number;
  first(): T | undefined;
  /** All items, oldest first, without removing them. */
  items(): IterableIterator<T>;
  /** Removes and returns the `count` oldest items. */
  take(count: number): readonly T[];
}

export function createQueue<T extends { readonly bytes: number }>(): Queue<T> {
  let list: T[] = [];
  let head = 0;
  let bytes = 0;

  return {
    add: (item): void => {
      list.push(item);
      bytes += item.bytes;
    },
    size: () => list.length - head,
    bytes: () => bytes,
    first: () => list[head],
    *items() {
      for (let at = head; at < list.length; at += 1) yield list[at] as T;
    },
    take: (count) => {
      const items = list.slice(head, head + count);
      for (const item of items) bytes -= item.bytes;
      head += items.length;
      // Each item is moved once at most, on average.
      if (head * 2 >= list.length) {
        list = list.slice(head);
        head = 0;
      }
      return items;
    },
  };
}
