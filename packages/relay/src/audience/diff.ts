// Compares two sorted lists that are read page by page: core compares as far as the pages reach; this file reads the
// next pages.

import type { MemberChange } from "@postrider/core";
import { diffPages } from "@postrider/core/engine";
import { ok, type Result } from "neverthrow";
import type { StoreFault } from "../fault.js";
import { createPageReader, fillAll, type ReadNextPage } from "./pages.js";

export interface DiffStep {
  /** Sorted by user id. May be empty even if later steps have changes. */
  readonly changes: readonly MemberChange[];
  /** How many of the previous members this step has compared. */
  readonly known: number;
  /** How many of the current members this step has compared. */
  readonly compared: number;
  /** Whether the comparison is complete. */
  readonly isEnd: boolean;
}

/** Continues the comparison, for at most `limit` changes. */
export type Diff = (limit: number) => Promise<Result<DiffStep, StoreFault>>;

export function createDiff(previous: ReadNextPage, current: ReadNextPage): Diff {
  const past = createPageReader(previous);
  const present = createPageReader(current);
  return async (limit) => {
    const filled = await fillAll([past, present]);
    return filled.andThen(() => {
      const step = diffPages(past.reading(), present.reading(), limit);
      const known = step.previous - past.reading().from;
      const compared = step.current - present.reading().from;
      past.advance(step.previous);
      present.advance(step.current);
      return ok({ changes: step.changes, known, compared, isEnd: past.isEnded() && present.isEnded() });
    });
  };
}
