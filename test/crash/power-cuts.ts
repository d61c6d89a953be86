// Simulates a power cut after each step of a recorded life (fault D1): creates the files that the disk would hold, opens
// them with the real store, and continues from there. All calls that were answered 200 before the cut must be in them.

import type { DeliveryStore, EpochMs, LeaseToken, Random, Settlement } from "@postrider/core";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDisk, type Image, SURVIVALS } from "./disk.js";
import { type Finding, finding, isBodySeen, judgeContent, lostFrom } from "./judge.js";
import { isOfDisk, type LifeStep, type RecordedLife } from "./record-life.js";
import { DESTINATIONS, type Sightings } from "./sightings.js";
import { DATABASE } from "./site.js";
import { type HeldDelivery, readStore, type StoreContent, withStore } from "./store-content.js";

/** In memory if the machine has such a folder, since images need not be synced. */
const IMAGE_FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const TOLD_EVERY = 500;
const DAY_MS = 86_400_000;
const CLAIMED_AT_ONCE = 100_000;

export interface CutOptions {
  readonly life: RecordedLife;
  readonly images: number;
  readonly random: Random;
  /** Called from time to time with the progress. */
  readonly tell?: (images: number) => void;
}

export interface CutReport {
  readonly images: number;
  /** Images of moments with unsynced changes. */
  readonly unsynced: number;
  /** Calls that had been answered 200 before the cut, summed over the images. */
  readonly answered: number;
  readonly findings: readonly Finding[];
}

/** Checks `count` images, spread evenly over the life, with all ways of losing unsynced changes. */
export async function cutPower({ life, images, random, tell }: CutOptions): Promise<CutReport> {
  const disk = createDisk();
  const known: Known = { safe: new Set(), requests: new Map(), kills: 0 };
  const findings: Finding[] = [];
  const sums = { images: 0, unsynced: 0, answered: 0 };
  for (const [index, step] of life.steps.entries()) {
    learn(known, step);
    if (isOfDisk(step)) disk.apply(step);
    const wanted = Math.floor(((index + 1) * images) / life.steps.length);
    for (; sums.images < wanted; sums.images += 1) {
      const survival = SURVIVALS[Math.floor(random.unit() * SURVIVALS.length)]!;
      findings.push(...(await judgeImage(disk.cut(survival, random), known, life.sightings)));
      sums.unsynced += disk.isSynced() ? 0 : 1;
      sums.answered += known.safe.size;
      if (sums.images % TOLD_EVERY === 0) tell?.(sums.images);
    }
  }
  return { ...sums, findings };
}

/** The answers and requests up to the moment of the cut. */
interface Known {
  readonly safe: Set<string>;
  /** The number of requests so far, for each unit. */
  readonly requests: Map<string, number>;
  kills: number;
}

function learn(known: Known, step: LifeStep): void {
  if (step.kind === "answered") known.safe.add(step.messageId);
  if (step.kind === "requested") known.requests.set(step.unit, (known.requests.get(step.unit) ?? 0) + 1);
  if (step.kind === "killed") known.kills += 1;
}

async function judgeImage(image: Image, known: Known, sightings: Sightings): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(IMAGE_FOLDER, "postrider-cut-"));
  try {
    for (const [name, bytes] of image) writeFileSync(join(folder, name), bytes);
    return await withStore(join(folder, DATABASE), async (store, database) => {
      const found = await readStore(store, database);
      await settleAll(store);
      return [...judgeFound(found, known, sightings), ...judgeEnd(await readStore(store, database))];
    });
  } catch (error) {
    return [finding("threw", String(error))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeFound(found: StoreContent, { safe, requests, kills }: Known, sightings: Sightings): readonly Finding[] {
  // A round starts once the previous one is stored: at most the one under way is unrecorded, and one for each kill.
  const isUnsafe = ({ unit, attempts }: HeldDelivery): boolean =>
    (requests.get(unit) ?? 0) - attempts.length > 1 + kills;
  return [
    ...judgeContent(found),
    ...lostFrom(found, safe),
    ...found.deliveries.filter(isUnsafe).map(({ unit }) => finding("seen-too-often", unit)),
    ...found.deliveries
      .filter((delivery) => !isBodySeen(delivery, sightings))
      .map(({ unit }) => finding("bytes-differ", unit)),
  ];
}

/** Continues after the cut: claims and delivers each unfinished delivery once. */
async function settleAll(store: DeliveryStore): Promise<void> {
  const now = (Date.now() + DAY_MS) as EpochMs;
  const lease = { token: "after the cut" as LeaseToken, leaseMs: 1_000 };
  const lanes = (await store.lanes({ limit: DESTINATIONS.length }, now)).lanes.map(({ lane }) => lane);
  const request = { ...lease, lanes: lanes.map((lane) => ({ lane, limit: CLAIMED_AT_ONCE })) };
  const { deliveries } = await store.claim(request, now);
  const settle = deliveries.map(({ id, rounds, endpoints }): Settlement => {
    const result = { kind: "answered", status: 200 } as const;
    const endpoint = "http://127.0.0.1/" as Settlement["endpoints"][number]["endpoint"];
    const attempt = { round: rounds + 1, endpoint, startedAt: now, durationMs: 1, result, verdict: "success" } as const;
    return { id, token: lease.token, outcome: { kind: "delivered", detail: "200" }, attempts: [attempt], endpoints };
  });
  await store.commit({ accept: [], replay: [], settle, append: [], tally: [], lease }, now);
}

function judgeEnd(end: StoreContent): readonly Finding[] {
  const left = end.deliveries.filter(({ state }) => state !== "delivered");
  return [...judgeContent(end), ...left.map(({ unit }) => finding("not-delivered", unit))];
}
