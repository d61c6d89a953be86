// What has changed between two sorted sets of members that can be walked through (spec, webhook destination §1): a first
// sync, with nobody before it, lets everyone enter. In constant memory, however many they are.

import { diffPages } from "./diff-pages.js";
import type { Member, MemberChange, Reading } from "./member.js";

/** Members looked at together. */
const PAGE = 1_000;

/** Compares two sets, both strictly ascending by user id as `<` compares. Changes come in the same order. */
export function* diffSorted(previous: Iterable<Member>, current: Iterable<Member>): Generator<MemberChange, void> {
  const pasts = pagesOf(previous);
  const presents = pagesOf(current);
  try {
    let [past, present] = [readOn(pasts, START), readOn(presents, START)];
    while (past.page.length > 0 || present.page.length > 0) {
      const diff = diffPages(past, present, Infinity);
      yield* diff.changes;
      past = readOn(pasts, { ...past, from: diff.previous });
      present = readOn(presents, { ...present, from: diff.current });
    }
  } finally {
    // Whoever stops listening lets go of both.
    pasts.return();
    presents.return();
  }
}

const START: Reading = { page: [], from: 0 };

/** The same reading while its page lasts, else the next page. */
function readOn(pages: Iterator<readonly Member[]>, reading: Reading): Reading {
  if (reading.from < reading.page.length) return reading;
  const next = pages.next();
  return { page: next.done === true ? [] : next.value, from: 0 };
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
