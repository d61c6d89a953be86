// Damages files of a store as a broken disk may, opens them, claims all waiting deliveries, and judges the outcome.

import type { Body, ClaimedDelivery, DeliveryStore, DestinationId, EndpointId, LeaseToken } from "@postrider/core";
import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import fc from "fast-check";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireIntactWal } from "../../../packages/sqlite/src/file-store/mark-wal.js";
import { openFile as openAsServed } from "../../../packages/sqlite/src/file-store/open-file.js";
import { changes, LEASE, message, NOW, stored } from "../changes.js";
import { newFile, openFile } from "../files.js";

const LANES = ["crm", "erp", "a-lane-with-a-longer-name"].map((lane) => lane as DestinationId);
const COMMITS = 40;
const CALLS_OF_A_COMMIT = 5;
const NAME = "p.db";

export interface Image {
  /** The folder of the file and of the files that belong to it. */
  readonly folder: string;
  /** The expected body of each delivery. */
  readonly expected: ReadonlyMap<string, string>;
}

/** Folders with the same deliveries: as left by a server that was closed, and by one that was killed. */
export async function createImages(): Promise<{ readonly closed: Image; readonly killed: Image }> {
  const [folder, killed] = [newFile(), newFile()];
  for (const path of [folder, killed]) mkdirSync(path);
  const store = opened(folder);
  for (let commit = 0; commit < COMMITS; commit += 1) await acceptSome(store, commit);
  await tryFirst(store);
  for (const name of [NAME, `${NAME}-wal`, `${NAME}-open`]) copyFileSync(join(folder, name), join(killed, name));
  await store.close();
  const expected = await whatWaits(folder);
  return { closed: { folder, expected }, killed: { folder: killed, expected } };
}

async function acceptSome(store: DeliveryStore, commit: number): Promise<void> {
  const accept = Array.from({ length: CALLS_OF_A_COMMIT }, (_, index) => {
    const id = `${String(commit)}-${String(index)}`;
    const body = new TextEncoder().encode(JSON.stringify({ id, text: id.repeat(1 + ((commit * 7 + index) % 90)) }));
    const deliveries = LANES.slice(0, 1 + (index % LANES.length)).map((destination) => ({
      destination,
      start: { kind: "waiting", dueAt: NOW } as const,
    }));
    return message(id, { body: body as Body, deliveries });
  });
  stored(await store.commit(changes({ accept }), NOW));
}

/** Some deliveries have had a round, so that all tables have rows. */
async function tryFirst(store: DeliveryStore): Promise<void> {
  const { deliveries } = await store.claim({ ...LEASE, lanes: LANES.map((lane) => ({ lane, limit: 10 })) }, NOW);
  const endpoint = "https://a.test/" as EndpointId;
  const settle = deliveries.map(({ id }) => ({
    ...{ id, token: LEASE.token, endpoints: [{ endpoint, refused: false, excerpt: new Uint8Array(200) }] },
    outcome: { kind: "rescheduled", dueAt: NOW, detail: "503" } as const,
    attempts: [
      {
        round: 1,
        endpoint,
        startedAt: NOW,
        durationMs: 5,
        result: { kind: "answered", status: 503 } as const,
        verdict: "retry" as const,
      },
    ],
  }));
  await store.commit(changes({ settle }), NOW);
}

async function whatWaits(folder: string): Promise<ReadonlyMap<string, string>> {
  const copy = `${folder}-looked-at`;
  cpSync(folder, copy, { recursive: true });
  const claimed = await claimAll(opened(copy));
  rmSync(copy, { recursive: true });
  return new Map(claimed.map((delivery) => [delivery.id, inWords(delivery)]));
}

function opened(folder: string): DeliveryStore {
  try {
    requireIntactWal(join(folder, NAME));
    const { deliveries, audiences } = openAsServed(join(folder, NAME));
    return { ...deliveries, close: () => audiences.close().finally(() => deliveries.close()) };
  } catch (error) {
    throw Object.assign(new Error(error instanceof Error ? error.message : ""), { code: "unusable" });
  }
}

/** Opens a store as for a file that is too large to be checked. */
function openedUnchecked(folder: string): DeliveryStore {
  const database = openFile(join(folder, NAME));
  const prepare: SqliteDatabase["prepare"] = (sql) =>
    database.prepare(sql === "pragma integrity_check(1)" ? "select 'ok' as integrity_check" : sql);
  return createSqliteStore({ database: { exec: (sql) => database.exec(sql), prepare, close: () => database.close() } });
}

async function claimAll(store: DeliveryStore): Promise<readonly ClaimedDelivery[]> {
  try {
    const found = new Map<string, ClaimedDelivery>();
    for (let turn = 0; ; turn += 1) {
      const token = `turn-${String(turn)}` as LeaseToken;
      const lanes = LANES.map((lane) => ({ lane, limit: 50 }));
      const { deliveries } = await store.claim({ ...LEASE, token, lanes }, NOW);
      for (const delivery of deliveries) found.set(delivery.id, delivery);
      if (deliveries.length === 0 || turn > 100) return [...found.values()];
    }
  } finally {
    await store.close();
  }
}

function inWords({ lane, source, messageId, type, body }: ClaimedDelivery): string {
  return [lane, source, messageId, type, Buffer.from(body).toString("base64")].join(" ");
}

export interface Damage {
  readonly file: "database" | "log";
  readonly kind: "byte" | "sector" | "cut";
  /** The position, as a share of the file. */
  readonly at: number;
  /** The change of the byte; not 0. */
  readonly change: number;
}

/**
 * `right`: all deliveries were returned as they were stored. `told`: the file was refused, or failed as corrupt. `shorter`:
 * only the end of a log is gone, as after a power cut. `wrong` and `lost` must not happen.
 */
export type Verdict = "right" | "told" | "shorter" | "wrong" | "lost";

/** Judges a copy of the image after the damage. `isChecked`: whether it is checked when opened, as only small files are. */
export async function judgeDamage(image: Image, damage: Damage, isChecked = true): Promise<Verdict> {
  const folder = newFile();
  cpSync(image.folder, folder, { recursive: true });
  const path = join(folder, damage.file === "database" ? NAME : `${NAME}-wal`);
  writeFileSync(path, damaged(readFileSync(path), damage));
  const verdict = await judge(isChecked ? () => opened(folder) : () => openedUnchecked(folder), image.expected, damage);
  rmSync(folder, { recursive: true });
  return verdict;
}

function damaged(bytes: Buffer, { kind, at, change }: Damage): Buffer {
  const place = Math.floor(at * bytes.length);
  switch (kind) {
    case "byte":
      bytes[place]! ^= change;
      return bytes;
    case "sector":
      return bytes.fill(change, place - (place % 512), Math.min(bytes.length, place - (place % 512) + 512));
    case "cut":
      // An empty file counts as a new one, since operators create one to set its permissions; for SQLite so does one of a
      // single byte.
      return bytes.subarray(0, Math.max(2, place));
  }
}

async function judge(
  open: () => DeliveryStore,
  expected: ReadonlyMap<string, string>,
  { file }: Damage,
): Promise<Verdict> {
  try {
    const claimed = await claimAll(open());
    // After the loss of the end of a log, a delivery may differ only in its number of tries.
    if (claimed.some((delivery) => expected.get(delivery.id) !== inWords(delivery))) return "wrong";
    if (claimed.length === expected.size) return "right";
    return file === "log" ? "shorter" : "lost";
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code === "corrupt" || code === "unusable") return "told";
    throw error;
  }
}

const KINDS: readonly Pick<Damage, "file" | "kind">[] = [
  ...Array.from({ length: 6 }, () => ({ file: "database", kind: "byte" }) as const),
  { file: "database", kind: "sector" },
  { file: "database", kind: "cut" },
  { file: "log", kind: "byte" },
  { file: "log", kind: "sector" },
];

/** Any position in a file with the same chance; an unbiased arbitrary, since the usual one prefers the ends of its range. */
const anywhere = fc.noBias(fc.nat({ max: 2 ** 31 - 1 }).map((place) => place / 2 ** 31));

export const damages: fc.Arbitrary<Damage> = fc
  .record({ what: fc.constantFrom(...KINDS), at: anywhere, change: fc.integer({ min: 1, max: 255 }) })
  .map(({ what, at, change }) => ({ ...what, at, change }));
