// Boards whose pages leave out rows that have changed, or have more than they should.

import type { BoardRow } from "@postrider/core";
import { type BoardSteps, overPlainBoard, type PlainRow, WORKING_STEPS } from "./plain-board.js";
import type { Storage } from "./storage.js";

const paging = (page: BoardSteps["page"]): (() => Storage) => overPlainBoard({ page });

export const skippingOne: () => Storage = overPlainBoard({
  after: (change, since) => change > since + Math.min(1, since),
});
export const cuttingPages: () => Storage = paging((changed, limit, last) => {
  return { ...WORKING_STEPS.page(changed, limit, last), next: last, more: false };
});
export const skippingRests: () => Storage = paging((changed, limit, last) => {
  return { ...WORKING_STEPS.page(changed, limit, last), next: last };
});
export const exceedingPages: () => Storage = paging((changed, limit, last) => {
  return WORKING_STEPS.page(changed, limit + 1, last);
});
export const unlimitedByNone: () => Storage = paging((changed, limit, last) => {
  return WORKING_STEPS.page(changed, limit === 0 ? changed.length : limit, last);
});
/** Says that there are more by whether a page is full, and not by what it leaves out. */
export const endlessPages: () => Storage = paging((changed, limit, last) => {
  return { ...WORKING_STEPS.page(changed, limit, last), more: true };
});
export const quietAboutMore: () => Storage = paging((changed, limit, last) => {
  return { ...WORKING_STEPS.page(changed, limit, last), more: false };
});

/** Pages by the order in which rows were first written: what changes behind the reader is not told. */
export function pagingByAge(): Storage {
  const ages = new Map<string, number>();
  return overPlainBoard({
    after: () => true,
    page: (changed, limit, last) => {
      const byAge = (one: PlainRow): number => ages.get(one.row.lane) ?? 0;
      return WORKING_STEPS.page(
        changed.toSorted((one, other) => byAge(one) - byAge(other)),
        limit,
        last,
      );
    },
    kept: (row) => {
      if (!ages.has(row.lane)) ages.set(row.lane, ages.size + 1);
      return row;
    },
  })();
}

/** Tells each change as it was written first. */
export function tellingFirstStates(): Storage {
  const first = new Map<string, BoardRow>();
  return overPlainBoard({
    kept: (row) => {
      if (!first.has(row.lane)) first.set(row.lane, row);
      return row;
    },
    page: (changed, limit, last) => {
      const old = changed.map(({ row, change }) => ({ row: first.get(row.lane) ?? row, change }));
      return WORKING_STEPS.page(old, limit, last);
    },
  })();
}

/** Tells each change to one process only. */
export function tellingOnce(): Storage {
  const reported = new Set<number>();
  return overPlainBoard({
    page: (changed, limit, last) => {
      const page = WORKING_STEPS.page(
        changed.filter(({ change }) => !reported.has(change)),
        limit,
        last,
      );
      for (const { row, change } of changed) if (page.rows.includes(row)) reported.add(change);
      return page;
    },
  })();
}
