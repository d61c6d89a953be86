// Finds the changes between two sorted sets of members that can be iterated (spec, webhook destination §1). At a first sync
// the previous set is empty, so all members enter. Needs constant memory, regardless of the size of the sets.

import { diffPages } from "./diff-pages.js";
import type { Member, MemberChange, PageCursor } from "./member.js";

/** The number of members that are compared at a time. */
const PAGE = 1_000;

/** Compares two sets, both strictly ascending by user id as `<` compares. Yields the changes in the same order. */
export function* diffSorted(previous: Iterable<Member>, current: Iterable<Member>): Generator<MemberChange, void> {
  const previousPages = pagesOf(previous);
  const currentPages = pagesOf(current);
  try {
    let previousCursor = advance(previousPages, START);
    let currentCursor = advance(currentPages, START);
    while (previousCursor.page.length > 0 || currentCursor.page.length > 0) {
      const diff = diffPages(previousCursor, currentCursor, Infinity);
      yield* diff.changes;
      previousCursor = advance(previousPages, { ...previousCursor, from: diff.previousFrom });
      currentCursor = advance(currentPages, { ...currentCursor, from: diff.currentFrom });
    }
  } finally {
    // A caller that stops early releases both iterators.
    previousPages.return();
    currentPages.return();
  }
}

const START: PageCursor = { page: [], from: 0 };

/** The cursor itself while its page has members left, otherwise a cursor at the start of the next page. */
function advance(pages: Iterator<readonly Member[]>, cursor: PageCursor): PageCursor {
  if (cursor.from < cursor.page.length) return cursor;
  const nextPage = pages.next();
  return { page: nextPage.done === true ? [] : nextPage.value, from: 0 };
}

function* pagesOf(members: Iterable<Member>): Generator<readonly Member[], void> {
  let page: Member[] = [];
  for (const member of members) {
    page.push(member);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
