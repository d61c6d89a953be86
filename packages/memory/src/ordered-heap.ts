// A priority queue by time that stores the position of each member, so that any member can be removed. Of members with equal
// times, the one with the lower `sequence` comes first.

/** A member of a heap. A member may be in one heap at a time; `at` may change only while the member is in no heap. */
export interface HeapMember {
  at: number;
  readonly sequence: number;
  /** The index of the member in the heap; only the heap writes it. */
  place: number;
}

export interface OrderedHeap<T extends HeapMember> {
  add(member: T): void;
  remove(member: T): void;
  /** The earliest member; undefined if there is none. */
  first(): T | undefined;
  /** All members, in no particular order. */
  members(): readonly T[];
}

export function createOrderedHeap<T extends HeapMember>(): OrderedHeap<T> {
  const members: T[] = [];

  return {
    add: (member): void => {
      members.push(member);
      put(members, member, members.length - 1);
      rise(members, member);
    },
    remove: (member): void => {
      const lastMember = members.pop();
      if (lastMember === undefined || lastMember === member) return;
      put(members, lastMember, member.place);
      rise(members, lastMember);
      sink(members, lastMember);
    },
    first: () => members[0],
    members: () => members,
  };
}

function rise<T extends HeapMember>(members: T[], member: T): void {
  while (member.place > 0) {
    const parent = members[(member.place - 1) >> 1];
    if (parent === undefined || !isBefore(member, parent)) return;
    swap(members, parent, member);
  }
}

function sink<T extends HeapMember>(members: T[], member: T): void {
  for (let child = earlierChild(members, member); child !== undefined; child = earlierChild(members, member)) {
    if (!isBefore(child, member)) return;
    swap(members, member, child);
  }
}

function earlierChild<T extends HeapMember>(members: readonly T[], { place }: T): T | undefined {
  const leftChild = members[2 * place + 1];
  const rightChild = members[2 * place + 2];
  return leftChild !== undefined && rightChild !== undefined && isBefore(rightChild, leftChild)
    ? rightChild
    : leftChild;
}

function swap<T extends HeapMember>(members: T[], upper: T, lower: T): void {
  const place = upper.place;
  put(members, upper, lower.place);
  put(members, lower, place);
}

function put<T extends HeapMember>(members: T[], member: T, place: number): void {
  members[place] = member;
  member.place = place;
}

function isBefore(first: HeapMember, second: HeapMember): boolean {
  return first.at < second.at || (first.at === second.at && first.sequence < second.sequence);
}
