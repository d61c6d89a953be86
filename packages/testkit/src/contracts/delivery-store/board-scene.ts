// Helpers for the cases of the board. A storage has one board, on which rows and processes of other cases stay: so each case looks
// at its own lanes and processes only.

import {
  type BoardNews,
  type BoardRow,
  type DeliveryStore,
  destinationId,
  type DestinationId,
  type EpochMs,
  type LaneBoard,
  processId,
  type ProcessId,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { showText } from "../look-alikes.js";
import type { Scene } from "./scene.js";

/** The lifetime in a beat that names none: long enough that no process of its case is removed. */
export const LONG_LIVE_MS = 3_600_000;
/** The process that reads the board if it does not matter which one does. */
const READER = processId("board-reader");
/** Enough rows for a page that has all that most cases wait for. */
const ALL_ROWS = 1_000;
/** More pages than a case needs to read all that it waits for. */
const MAX_PAGES = 2_000;

export function boardIn(store: DeliveryStore): LaneBoard {
  return expectPresent(store.board, "a store that supports `board`");
}

export function boardOf(scene: Scene): LaneBoard {
  return boardIn(scene.store());
}

/** A process that only this scene has. */
export function processOf({ source }: Pick<Scene, "source">, name: string): ProcessId {
  return processId(`${source}-${name}`);
}

/** A lane that only this scene has. */
export function namedLane({ lane }: Pick<Scene, "lane">, name: string): DestinationId {
  return destinationId(`${lane}-${name}`);
}

/** The lanes of a scene, as many as are asked for. */
export function lanesOf(scene: Pick<Scene, "lane">, count: number): readonly DestinationId[] {
  return Array.from({ length: count }, (_, index) => namedLane(scene, String(index)));
}

export function boardRow(lane: DestinationId, revision: number, fields: Partial<BoardRow> = {}): BoardRow {
  return { lane, revision, holds: [], ...fields };
}

export interface BeatOptions {
  /** Of this scene. Absent: a process that all scenes have. */
  readonly process?: string;
  readonly share?: number;
  readonly liveForMs?: number;
  readonly since?: string;
  readonly limit?: number;
  readonly now?: EpochMs;
  readonly store?: DeliveryStore;
}

export function beat(scene: Scene, options: BeatOptions = {}): Promise<BoardNews> {
  const { share = 0, liveForMs = LONG_LIVE_MS, limit = ALL_ROWS, since } = options;
  const process = options.process === undefined ? READER : processOf(scene, options.process);
  const request = { process, share, liveForMs, limit, ...defined({ since }) };
  return boardIn(options.store ?? scene.store()).beat(request, options.now ?? scene.now());
}

/** Writes rows, and expects that none is refused. */
export async function writeRows(
  scene: Scene,
  rows: readonly BoardRow[],
  store: DeliveryStore = scene.store(),
): Promise<void> {
  expectEqual(await boardIn(store).write(rows), [], "the rows that a write of the next revisions refuses");
}

/** The row of a lane that has one: the answer to a write of its first revision. */
export async function storedRow(scene: Scene, lane: DestinationId): Promise<BoardRow | undefined> {
  return (await boardOf(scene).write([boardRow(lane, 1)]))[0];
}

/** The rows of one or more pages of the board, and the cursor after them. */
export interface BoardReading {
  /** The rows, in the order of the pages. */
  readonly rows: readonly BoardRow[];
  readonly next: string;
}

/** Reads pages until there is no further one. */
export async function readBoard(scene: Scene, options: BeatOptions = {}): Promise<BoardReading> {
  const rows: BoardRow[] = [];
  let since = options.since;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const news = await beat(scene, { ...options, ...defined({ since }) });
    expectPage(news, options.limit ?? ALL_ROWS);
    rows.push(...news.rows);
    since = news.next;
    if (!news.more) return { rows, next: since };
  }
  throw new Error(`the board promises further rows after ${String(MAX_PAGES)} pages`);
}

/** A cursor after all changes so far: a read from it needs to report later changes only. */
export async function cursorOf(scene: Scene, store: DeliveryStore = scene.store()): Promise<string> {
  return (await readBoard(scene, { store })).next;
}

/** Expects that a page has no more rows than its limit, and no lane twice. */
export function expectPage({ rows }: BoardNews, limit: number): void {
  expectThat(rows.length <= limit, `a page of at most ${String(limit)} rows has ${String(rows.length)}`);
  const lanes = new Set(rows.map(({ lane }) => lane));
  expectEqual(lanes.size, rows.length, "how many lanes a page has rows of");
}

/** Expects each of these rows in `reported`, and nothing else of its lane. */
export function expectRows(reported: readonly BoardRow[], rows: readonly BoardRow[], what: string): void {
  for (const row of rows) {
    const laneRows = reported.filter(({ lane }) => lane === row.lane);
    expectThat(laneRows.length > 0, `${what}: the row of the lane ${showText(row.lane)} is not told`);
    for (const laneRow of laneRows) expectEqual(withHoldsInOrder(laneRow), withHoldsInOrder(row), what);
  }
}

/** Expects these to be the latest rows of their lanes in `reported`. */
export function expectLatest(reported: readonly BoardRow[], rows: readonly BoardRow[], what: string): void {
  const latest = rows.flatMap(({ lane }) => {
    const laneRows = reported.filter((row) => row.lane === lane);
    return laneRows.toSorted((one, other) => other.revision - one.revision).slice(0, 1);
  });
  expectRows(latest, rows, what);
}

/** The rows in the order of their lanes, each with its holds in the order of their endpoints. */
export function rowsInOrder(rows: readonly BoardRow[]): readonly BoardRow[] {
  return rows.map(withHoldsInOrder).toSorted((first, second) => (first.lane < second.lane ? -1 : 1));
}

export function withHoldsInOrder(row: BoardRow): BoardRow {
  return { ...row, holds: row.holds.toSorted((first, second) => (first.endpoint < second.endpoint ? -1 : 1)) };
}

/** The shares of the processes of a scene, by the names of these. */
export type Shares = Readonly<Record<string, number>>;

/** Expects that of the processes of this scene exactly these live, each once and with its share. */
export function expectLiving(scene: Scene, news: BoardNews, shares: Shares, what: string): void {
  const expected = Object.entries(shares).map(([name, share]) => ({ process: processOf(scene, name), share }));
  const ownProcesses = news.processes.filter(({ process }) => process.startsWith(processOf(scene, "")));
  const byId = (one: { readonly process: string }, other: { readonly process: string }): number =>
    one.process < other.process ? -1 : 1;
  expectEqual(ownProcesses.toSorted(byId), expected.toSorted(byId), what);
}
