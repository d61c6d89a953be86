// Makes one sorted list of many, as far as one page of each reaches; the way to sort what is larger than memory. Of the same
// user in several lists the one in the last of them counts. A tournament: each step plays only the matches of the list that
// won, so that forty lists cost six comparisons a member and not forty. Knows nothing of where pages come from.

import type { Member, Reading } from "./member.js";

export interface PageMerge {
  /** In order, each user once. */
  readonly members: readonly Member[];
  /** How far each page has been read. At least one to its end, unless all lists are at theirs. */
  readonly from: readonly number[];
}

/** Merges lists, each strictly ascending by user id as `<` compares, as far as their pages reach. */
export function mergePages(lists: readonly Reading[]): PageMerge {
  const members: Member[] = [];
  const from = lists.map((list) => list.from);
  const heads = lists.map(({ page }, list) => page[from[list] ?? 0]);
  const losers = playAll(heads);
  let last: Member | undefined;
  let isUsedUp = heads.some((head, list) => head === undefined && lists[list]?.page.length !== 0);

  for (;;) {
    const winner = losers[0] ?? 0;
    const head = heads[winner];
    // Past the end of a page only more of the same user may follow: whoever comes next may be on the page that is missing.
    if (head === undefined || (isUsedUp && head.userId !== last?.userId)) break;
    if (head.userId === last?.userId) members.pop();
    members.push(head);
    last = head;
    const place = (from[winner] ?? 0) + 1;
    from[winner] = place;
    heads[winner] = lists[winner]?.page[place];
    if (heads[winner] === undefined) isUsedUp = true;
    replay(losers, heads, winner);
  }
  return { members, from };
}

type Heads = readonly (Member | undefined)[];

/** Who lost each match of the tournament; at 0 who won it. List `n` begins at match `(n + lists) / 2`. */
function playAll(heads: Heads): Int32Array {
  const count = heads.length;
  const losers = new Int32Array(Math.max(1, count)).fill(NOBODY);
  for (let list = 0; list < count; list += 1) enterList(losers, heads, list);
  return losers;
}

const NOBODY = -1;

/** The first to come to a match waits there for the other. */
function enterList(losers: Int32Array, heads: Heads, list: number): void {
  let winner = list;
  for (let match = (list + heads.length) >> 1; match > 0; match >>= 1) {
    const other = losers[match] ?? NOBODY;
    const isOver = other === NOBODY || beats(heads, other, winner);
    if (isOver) losers[match] = winner;
    if (other === NOBODY) return;
    if (isOver) winner = other;
  }
  losers[0] = winner;
}

/** The list that won has a new head: it plays its matches again. */
function replay(losers: Int32Array, heads: Heads, list: number): void {
  let winner = list;
  for (let match = (list + heads.length) >> 1; match > 0; match >>= 1) {
    const other = losers[match] ?? NOBODY;
    if (!beats(heads, other, winner)) continue;
    losers[match] = winner;
    winner = other;
  }
  losers[0] = winner;
}

/** Whether the first goes before the second: of the same user, the earlier list; a list at its end after all others. */
function beats(heads: Heads, one: number, other: number): boolean {
  const [first, second] = [heads[one], heads[other]];
  if (first === undefined || second === undefined) return first !== undefined;
  return one < other ? first.userId <= second.userId : first.userId < second.userId;
}
