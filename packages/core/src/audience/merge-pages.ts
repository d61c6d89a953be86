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
  const cursors = lists.map(({ page, from }, place): Cursor => ({ page, from, place, head: page[from] }));
  const losers = playAll(cursors);
  let last: Member | undefined;
  let isUsedUp = cursors.some(({ page, head }) => head === undefined && page.length > 0);

  for (;;) {
    const winner = losers[0];
    const head = winner?.head;
    // Past the end of a page only more of the same user may follow: whoever comes next may be on the page that is missing.
    if (winner === undefined || head === undefined || (isUsedUp && head.userId !== last?.userId)) break;
    if (head.userId === last?.userId) members.pop();
    members.push(head);
    last = head;
    winner.from += 1;
    winner.head = winner.page[winner.from];
    if (winner.head === undefined) isUsedUp = true;
    replay(losers, winner);
  }
  return { members, from: cursors.map(({ from }) => from) };
}

/** How far a list has been read. */
interface Cursor {
  readonly page: readonly Member[];
  from: number;
  /** Among the lists. */
  readonly place: number;
  /** The next member; undefined past the end of the page. */
  head: Member | undefined;
}

/** Who lost each match; at 0 who won the last one. Undefined: nobody has come yet. */
type Losers = (Cursor | undefined)[];

/** The first to come to a match waits there for the other. List `n` begins at match `(n + lists) / 2`. */
function playAll(cursors: readonly Cursor[]): Losers {
  const losers: Losers = cursors.map(() => undefined);
  for (const cursor of cursors) enter(losers, cursor);
  return losers;
}

function enter(losers: Losers, cursor: Cursor): void {
  let winner = cursor;
  for (let match = (cursor.place + losers.length) >> 1; match > 0; match >>= 1) {
    const other = losers[match];
    if (other === undefined) {
      losers[match] = winner;
      return;
    }
    if (!beats(other, winner)) continue;
    losers[match] = winner;
    winner = other;
  }
  losers[0] = winner;
}

/** The list that won has a new head: it plays its matches again. */
function replay(losers: Losers, cursor: Cursor): void {
  let winner = cursor;
  for (let match = (cursor.place + losers.length) >> 1; match > 0; match >>= 1) {
    const other = losers[match];
    if (other === undefined || !beats(other, winner)) continue;
    losers[match] = winner;
    winner = other;
  }
  losers[0] = winner;
}

/** Whether the first goes before the second: of the same user, the earlier list; a list at its end after all others. */
function beats(one: Cursor, other: Cursor): boolean {
  if (one.head === undefined || other.head === undefined) return one.head !== undefined;
  return one.place < other.place ? one.head.userId <= other.head.userId : one.head.userId < other.head.userId;
}
