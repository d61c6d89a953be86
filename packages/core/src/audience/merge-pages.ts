// Merges sorted lists into one, as far as one page of each reaches: the merge step of a sort that is larger than memory. If
// several lists have the same user, the last list wins. Uses a loser tree: a step compares only the lists on the path of the
// last winner, so that forty lists cost six comparisons per member.

import type { Member, PageCursor } from "./member.js";

/** The members of several pages in one order, and how far each page was read. */
interface PageMerge {
  /** In ascending order of user id, each user once. */
  readonly members: readonly Member[];
  /** The index of the next unread member of each page. At least one page was read to its end, unless all lists have ended. */
  readonly from: readonly number[];
}

/**
 * Merges lists, each strictly ascending by user id as `<` compares, as far as their pages reach. The caller then loads the
 * next page of each list whose page was read to its end. An empty page is the end of its list.
 */
export function mergePages(lists: readonly PageCursor[]): PageMerge {
  const members: Member[] = [];
  const cursors = lists.map(({ page, from }, place): Cursor => ({ page, from, place, head: page[from] }));
  const losers = buildTree(cursors);
  let lastMember: Member | undefined;
  let isUsedUp = cursors.some(({ page, head }) => head === undefined && page.length > 0);

  for (;;) {
    const winner = losers[0];
    const head = winner?.head;
    // After the end of a page only the same user may follow: the next user may be on the page that is not loaded yet.
    if (winner === undefined || head === undefined || (isUsedUp && head.userId !== lastMember?.userId)) break;
    if (head.userId === lastMember?.userId) members.pop();
    members.push(head);
    lastMember = head;
    winner.from += 1;
    winner.head = winner.page[winner.from];
    if (winner.head === undefined) isUsedUp = true;
    update(losers, winner);
  }
  return { members, from: cursors.map(({ from }) => from) };
}

/** A list in the tree, and how far it has been read. */
interface Cursor {
  readonly page: readonly Member[];
  from: number;
  /** The index of the list. */
  readonly place: number;
  /** The next member; undefined past the end of the page. */
  head: Member | undefined;
}

/**
 * The loser tree: at index 0 the list that won, at each other index the list that lost the match with this index. Undefined:
 * no list has reached the match yet.
 */
type Losers = (Cursor | undefined)[];

/**
 * The tree for these lists. The first list to reach a match waits for the second; list `n` of `k` begins at `(n + k) >> 1`.
 */
function buildTree(cursors: readonly Cursor[]): Losers {
  const losers: Losers = cursors.map(() => undefined);
  for (const cursor of cursors) insert(losers, cursor);
  return losers;
}

function insert(losers: Losers, cursor: Cursor): void {
  let winner = cursor;
  for (let match = (cursor.place + losers.length) >> 1; match > 0; match >>= 1) {
    const opponent = losers[match];
    if (opponent === undefined) {
      losers[match] = winner;
      return;
    }
    if (!beats(opponent, winner)) continue;
    losers[match] = winner;
    winner = opponent;
  }
  losers[0] = winner;
}

/** Plays the matches of the winner again, since it has a new head. */
function update(losers: Losers, cursor: Cursor): void {
  let winner = cursor;
  for (let match = (cursor.place + losers.length) >> 1; match > 0; match >>= 1) {
    const opponent = losers[match];
    if (opponent === undefined || !beats(opponent, winner)) continue;
    losers[match] = winner;
    winner = opponent;
  }
  losers[0] = winner;
}

/** True if `first` comes before `second`. If both have the same user, the earlier list comes first. A list without a head comes last. */
function beats(first: Cursor, second: Cursor): boolean {
  if (first.head === undefined || second.head === undefined) return first.head !== undefined;
  return first.place < second.place ? first.head.userId <= second.head.userId : first.head.userId < second.head.userId;
}
