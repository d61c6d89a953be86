// The content of a file, read by the public methods of the store: every delivery with its attempts, the counters, the load
// of the lanes, and the result of SQLite's check of the file. A file that a killed process left is read from a copy, so that
// the next process finds it unchanged.

import type {
  AttemptRecord,
  Counts,
  DeliveryId,
  DeliveryState,
  DeliveryStore,
  EpochMs,
  LaneRow,
} from "@postrider/core";
import { totalCounts } from "@postrider/core/engine";
import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase } from "../../packages/sqlite/src/file-store/open-database.js";
import { unitOf } from "./sightings.js";

export interface HeldDelivery {
  readonly id: DeliveryId;
  readonly unit: string;
  readonly messageId: string;
  readonly destination: string;
  readonly state: DeliveryState;
  readonly attempts: readonly AttemptRecord[];
  readonly body: Uint8Array;
}

export interface StoreContent {
  readonly deliveries: readonly HeldDelivery[];
  readonly counts: Counts;
  readonly lanes: readonly LaneRow[];
  /** "ok", or the errors that SQLite finds in the file. */
  readonly integrity: string;
}

const PAGE = 500;
const ENDINGS = ["", "-wal", "-journal"];

/** The content of the file at `path`. No other process may have it open. */
export function readFile(path: string): Promise<StoreContent> {
  return withStore(path, readStore);
}

/** The units that a killed process left claimed. */
export function unitsClaimedIn(path: string): Promise<readonly string[]> {
  return withCopy(path, (copy) =>
    withStore(copy, async (store) => {
      const claimed = await listAll(store, "claimed");
      return claimed.map(({ destination, messageId }) => unitOf(destination, messageId));
    }),
  );
}

/** Opens a store, passes it to `use`, and closes it in any case. */
export async function withStore<T>(
  path: string,
  use: (store: DeliveryStore, database: SqliteDatabase) => Promise<T>,
): Promise<T> {
  const database = openDatabase(path);
  const store = createSqliteStore({ database });
  try {
    return await use(store, database);
  } finally {
    await store.close();
  }
}

export async function readStore(store: DeliveryStore, database: SqliteDatabase): Promise<StoreContent> {
  const summaries = await listAll(store);
  const deliveries: HeldDelivery[] = [];
  for (const { id, destination, messageId } of summaries) {
    const { state, attempts, body = new Uint8Array() } = (await store.find(id))!;
    deliveries.push({ id, unit: unitOf(destination, messageId), messageId, destination, state, attempts, body });
  }
  const { lanes } = await store.lanes({ limit: PAGE }, 0 as EpochMs);
  const { integrity_check: integrity } = database.prepare("pragma integrity_check").get() as Record<string, unknown>;
  return { deliveries, counts: totalCounts(await store.counts()), lanes, integrity: String(integrity) };
}

async function listAll(store: DeliveryStore, state?: DeliveryState) {
  const found = [];
  const filter = state === undefined ? {} : { states: [state] };
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await store.list({ ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) });
    found.push(...page.deliveries);
    after = page.next;
  }
  return found;
}

async function withCopy<T>(path: string, use: (copy: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-copy-"));
  const copy = join(folder, basename(path));
  try {
    // The index of the log is not copied: it is shared memory, and SQLite creates it again.
    for (const ending of ENDINGS) if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending);
    return await use(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
