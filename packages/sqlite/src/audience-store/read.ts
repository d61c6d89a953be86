// Reads a set in the order of its user ids, one page per call.

import type { Member } from "@postrider/core";
import type { FindPage } from "./find-page.js";
import { unpackPage } from "./page.js";
import { keyAfter, sortKey } from "./sort-key.js";

export function prepareRead(pages: FindPage): (set: string, after?: string) => readonly Member[] {
  return (set, after) => {
    const found = pages.beyond(set, after, after === undefined ? sortKey("") : keyAfter(after));
    return found === undefined ? [] : beyond(unpackPage(set, found.row), after);
  };
}

/** Removes the members up to `after`. There are no such members if the reader continues at the end of a page. */
function beyond(members: readonly Member[], after: string | undefined): readonly Member[] {
  const start = after === undefined ? 0 : members.findIndex(({ userId }) => userId > after);
  return start === 0 ? members : members.slice(start);
}
