// Cases of the rows that a beat returns: every change after a cursor is in the page that follows it, or in a later one.
// Pages may contain more than that, and in any order.

import type { BoardNews, BoardRow } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import {
  beat,
  type BeatOptions,
  boardIn,
  boardRow,
  cursorOf,
  expectPage,
  expectRows,
  lanesOf,
  readBoard,
  rowsInOrder,
  storedRow,
  writeRows,
} from "./board-scene.js";
import type { Scene, StoreCase } from "./scene.js";

/** Pages of one row, of some, of as many as there are, and of more. */
const LIMITS = [1, 2, 3, 7, 8, 1_000];

const ROWS = 7;

export const TELLING_ROWS_CASES: readonly StoreCase[] = [
  {
    name: "without a cursor a beat tells all rows of the board, in pages of any size",
    needs: ["board"],
    async play(scene) {
      const earlierRows = (await readBoard(scene)).rows;
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      const allRows = [...earlierRows, ...rows];
      for (const limit of [50, 1_000])
        expectRows((await readBoard(scene, { limit })).rows, allRows, "a row of the board");
    },
  },
  {
    name: "a page has at most as many rows as its limit, and what it leaves out comes in later ones",
    needs: ["board"],
    async play(scene) {
      const since = await cursorOf(scene);
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      for (const limit of LIMITS) expectRows((await readBoard(scene, { since, limit })).rows, rows, "a changed row");
    },
  },
  {
    name: "a page of no rows tells none, says that there are more, and skips none",
    needs: ["board"],
    async play(scene) {
      const since = await cursorOf(scene);
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      const empty = await beat(scene, { since, limit: 0 });
      expectEqual({ rows: empty.rows, more: empty.more }, { rows: [], more: true }, "a page of no rows");
      expectRows((await readBoard(scene, { since: empty.next })).rows, rows, "a row that changed before the page");
      const first = await beat(scene, { limit: 0 });
      expectRows((await readBoard(scene, { since: first.next })).rows, rows, "a row before a first page of none");
    },
  },
  {
    name: "a row that has changed is told as it is now, after every earlier cursor",
    needs: ["board"],
    async play(scene) {
      const rows = firstRows(scene);
      const cursors = [await cursorOf(scene)];
      for (let revision = 1; revision <= 4; revision += 1) {
        const changedRows = rows.slice(0, 2).map((row) => ({ ...row, revision, limit: revision }));
        await writeRows(scene, changedRows);
        await expectAfterEach(scene, cursors, changedRows);
        cursors.push(await cursorOf(scene));
      }
      await writeRows(scene, rows.slice(2));
      await expectAfterEach(scene, cursors, rows.slice(2));
    },
  },
  {
    name: "what one process has been told is told to all others too",
    needs: ["board"],
    async play(scene) {
      const names = ["ann", "bob"];
      const cursors = await Promise.all(names.map(async (process) => (await readBoard(scene, { process })).next));
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      for (const [index, process] of [...names, "ann"].entries()) {
        const since = cursors[index % 2] ?? "";
        expectRows((await readBoard(scene, { process, since, limit: 3 })).rows, rows, `what ${process} is told`);
      }
    },
  },
  {
    name: "rows that change while pages are read are told in the rest of the pages",
    needs: ["board"],
    async play(scene) {
      for (const limit of [1, 2, 3]) await readWhileChanging(scene.anew(), limit);
    },
  },
  {
    name: "rows, and the cursors of pages that were read before, outlive a crash",
    needs: ["board", "restart"],
    async play(scene) {
      const since = await cursorOf(scene);
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      const page = await beat(scene, { since, limit: 3 });
      await scene.crash();
      expectRows((await readBoard(scene, { since, limit: 2 })).rows, rows, "a row after the crash");
      const remainder = await readBoard(scene, { since: page.next });
      expectRows([...page.rows, ...remainder.rows], rows, "a row of pages with a crash between them");
      const changedRows = rows.slice(0, 2).map((row) => ({ ...row, revision: 2 }));
      await writeRows(scene, changedRows);
      await scene.crash();
      for (const cursor of [since, page.next, remainder.next])
        expectRows((await readBoard(scene, { since: cursor })).rows, changedRows, "a row that changed after the crash");
      expectRows((await readBoard(scene)).rows, [...changedRows, ...rows.slice(2)], "a row without a cursor");
    },
  },
  {
    name: "what one process writes, another is told and follows",
    needs: ["board", "sharing"],
    async play(scene) {
      const otherStore = await scene.openAnother();
      const since = await cursorOf(scene, otherStore);
      const rows = firstRows(scene);
      await writeRows(scene, rows);
      expectRows((await readBoard(scene, { store: otherStore, since })).rows, rows, "what the other is told");
      const firstCursor = await cursorOf(scene);
      const nextRows = rows.map((row) => ({ ...row, revision: 2, limit: 9 }));
      await writeRows(scene, nextRows, otherStore);
      expectRows((await readBoard(scene, { since: firstCursor })).rows, nextRows, "what the first is told");
      const answer = await boardIn(scene.store()).write(rows.map((row) => ({ ...row, revision: 2 })));
      expectEqual(rowsInOrder(answer), rowsInOrder(nextRows), "what the first is answered, who was too late");
      await otherStore.close();
    },
  },
];

function firstRows(scene: Scene): readonly BoardRow[] {
  return lanesOf(scene, ROWS).map((lane, index) => boardRow(lane, 1, { limit: index + 1 }));
}

async function expectAfterEach(scene: Scene, cursors: readonly string[], rows: readonly BoardRow[]): Promise<void> {
  for (const [index, since] of cursors.entries())
    expectRows((await readBoard(scene, { since })).rows, rows, `what is told after the ${String(index + 1)}. cursor`);
}

/** Rows change after each of the first of these pages; the reader has to come to an end before the last of all. */
const CHANGING_PAGES = 12;

const MAX_PAGES = 200;

/** Changes rows after each page, and expects the last report of each row to be its present state. */
async function readWhileChanging(scene: Scene, limit: number): Promise<void> {
  let since = await cursorOf(scene);
  const currentRows = new Map(firstRows(scene).map((row) => [row.lane, row]));
  await writeRows(scene, [...currentRows.values()]);
  const latestRows = new Map<string, BoardRow>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { rows, next, more } = await pageOf(scene, currentRows, { since, limit });
    for (const row of rows) latestRows.set(row.lane, row);
    since = next;
    if (!more) break;
    expectThat(page < MAX_PAGES - 1, "the pages have no end although nothing changes any more");
    if (page < CHANGING_PAGES) await changeRows(scene, currentRows, page);
  }
  for (const [lane, row] of currentRows) {
    expectEqual(latestRows.get(lane), row, "the latest that was told of a row once all pages are read");
    expectEqual(await storedRow(scene, lane), row, "the stored row");
  }
}

type CurrentRows = Map<BoardRow["lane"], BoardRow>;

/** A page, of which only the rows of these lanes are returned. Expects each of them as it is at present. */
async function pageOf(scene: Scene, currentRows: CurrentRows, options: BeatOptions): Promise<BoardNews> {
  const news = await beat(scene, options);
  expectPage(news, options.limit ?? 0);
  const rows = news.rows.filter(({ lane }) => currentRows.has(lane));
  for (const row of rows) expectEqual(row, currentRows.get(row.lane), "the row that a page tells, as it is then");
  return { ...news, rows };
}

/** Changes the first row, one in the middle, and one more, which is another each time. */
async function changeRows(scene: Scene, currentRows: CurrentRows, page: number): Promise<void> {
  const places = new Set([0, 3, page % ROWS]);
  const rows = [...currentRows.values()].filter((_, place) => places.has(place));
  const changedRows = rows.map((row) => ({ ...row, revision: row.revision + 1, limit: page + 10 }));
  await writeRows(scene, changedRows);
  for (const row of changedRows) currentRows.set(row.lane, row);
}
