// Reads sorted lists of members page by page, from a store or from memory, and compares two of them. Core compares as far
// as the pages reach; this file reads the next pages.

import type { Member, PageCursor, SnapshotRange, MemberChange } from "@postrider/core";
import { rangeAfter, diffPages } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { StoreFault } from "../fault.js";
import type { AudienceStorage } from "./audience-storage.js";

const NOTHING_READ: PageCursor = { page: [], from: 0 };

/** Returns the next page of a list; at the end of the list and on each further call, an empty page. */
export type ReadNextPage = () => Promise<Result<readonly Member[], StoreFault>>;

/** All members of a set. */
export function setPages(storage: AudienceStorage, set: string): ReadNextPage {
  return snapshotPages(storage, [{ set, upTo: null }], undefined);
}

/** The members of a snapshot whose ids are after `after`; all of them if `after` is undefined. */
export function snapshotPages(
  storage: AudienceStorage,
  parts: readonly SnapshotRange[],
  after: string | undefined,
): ReadNextPage {
  let reached = after;

  /** The next page of a part; an empty one at its end. */
  async function readPart({ set, upTo }: SnapshotRange): Promise<Result<readonly Member[], StoreFault>> {
    const page = await storage.ask((audiences) => audiences.read(set, reached));
    return page.map((members) => {
      // A part ends where its set ends, or before the first member after `upTo`.
      const within = upTo === null ? members : members.filter((member) => member.userId <= upTo);
      const isEnd = upTo !== null && within.length < Math.max(1, members.length);
      reached = isEnd ? upTo : (within.at(-1)?.userId ?? reached);
      return within;
    });
  }

  return async () => {
    for (let part = rangeAfter(parts, reached); part !== undefined; part = rangeAfter(parts, reached)) {
      const page = await readPart(part);
      if (page.isErr()) return err(page.error);
      if (page.value.length > 0 || part.upTo === null) return page;
    }
    return ok([]);
  };
}

/** Reads a list page by page, and knows how far it has been read. */
export interface PageReader {
  cursor(): PageCursor;
  /** Sets the index in the page of the next member to read. */
  advance(from: number): void;
  /** True if the next member is unknown until `fill` has read the next page. */
  isUsedUp(): boolean;
  isEnded(): boolean;
  fill(): Promise<Result<void, StoreFault>>;
}

export function createPageReader(pages: ReadNextPage): PageReader {
  let cursor: PageCursor | undefined;
  return {
    cursor: () => cursor ?? NOTHING_READ,
    advance: (from): void => {
      cursor = { page: cursor?.page ?? [], from };
    },
    isUsedUp: () => cursor === undefined || (cursor.page.length > 0 && cursor.from >= cursor.page.length),
    isEnded: () => cursor?.page.length === 0,
    fill: async () => {
      const next = await pages();
      return next.map((page) => {
        cursor = { page, from: 0 };
      });
    },
  };
}

/** Reads the next page for each reader whose page is used up. */
export async function fillAll(readers: readonly PageReader[]): Promise<Result<void, StoreFault>> {
  for (const reader of readers) {
    const filled = reader.isUsedUp() ? await reader.fill() : ok(undefined);
    if (filled.isErr()) return filled;
  }
  return ok(undefined);
}

/** The pages of a list in memory. */
export function memoryPages(members: readonly Member[]): ReadNextPage {
  let unread = members;
  return () => {
    const page = unread;
    unread = [];
    return Promise.resolve(ok(page));
  };
}

export interface DiffStep {
  /** Sorted by user id. May be empty even if later steps have changes. */
  readonly changes: readonly MemberChange[];
  /** The number of previous members that this step has compared. */
  readonly previousCount: number;
  /** The number of current members that this step has compared. */
  readonly currentCount: number;
  /** True if the comparison is complete. */
  readonly isEnd: boolean;
}

/** Continues the comparison, for at most `limit` changes. */
export type Diff = (limit: number) => Promise<Result<DiffStep, StoreFault>>;

/** Compares the previous members with the current ones, step by step. */
export function createDiff(previous: ReadNextPage, current: ReadNextPage): Diff {
  const previousReader = createPageReader(previous);
  const currentReader = createPageReader(current);
  return async (limit) => {
    const filled = await fillAll([previousReader, currentReader]);
    return filled.andThen(() => {
      const step = diffPages(previousReader.cursor(), currentReader.cursor(), limit);
      const previousCount = step.previousFrom - previousReader.cursor().from;
      const currentCount = step.currentFrom - currentReader.cursor().from;
      previousReader.advance(step.previousFrom);
      currentReader.advance(step.currentFrom);
      const isEnd = previousReader.isEnded() && currentReader.isEnded();
      return ok({ changes: step.changes, previousCount, currentCount, isEnd });
    });
  };
}
