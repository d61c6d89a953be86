// Plays a life, lets a registry count it, and counts it a second time: from its events, from what callers were told, and from how
// receivers answered. Throws where a number differs.

import { epochMs } from "@postrider/core";
import { FORBIDDEN_ADDRESS } from "@postrider/core/engine";
import type { RelayEvent } from "@postrider/relay";
import { createRegistry, type MetricsSnapshot } from "@postrider/relay/metrics";
import { expect } from "vitest";
import { pointsOf, recount } from "./recount.js";
import { playLife, PRIVATE, type SimulatedLife } from "./simulated-life.js";

/** One of each source, and each a second time if a crash came between. */
const MAX_NOTICES = 4;

export interface CountedLife extends SimulatedLife {
  /** How many points of metrics were compared. */
  readonly points: number;
}

/** Plays the life of a seed. Throws if its registry has counted anything else than there was. */
export async function countLife(seed: number): Promise<CountedLife> {
  const life = await playLife(seed);
  const registry = createRegistry();
  for (const event of life.events) registry.observe(event);
  const snapshot = registry.snapshot([], epochMs(0));
  const points = pointsOf(snapshot);
  expect(points, `seed ${String(seed)}`).toEqual(recount(life.events, snapshot));
  expect(sumsOf(snapshot, "postrider.calls", [1]), `calls of seed ${String(seed)}`).toEqual(told(life));
  const localFaults = Object.entries(sumsOf(snapshot, "postrider.local_faults", [0])).map(
    ([lane, rounds]) => [`${lane} local`, rounds] as const,
  );
  const attempts = sumsOf(snapshot, "http.client.request.duration", [0, 2]);
  checkAttempts({ ...attempts, ...Object.fromEntries(localFaults) }, life);
  return { ...life, points: Object.keys(points).length };
}

/**
 * How often each outcome was told: to callers, and to the relay itself, which tells receivers of the deletion by a message of each
 * source. The ids of those are none that a caller wrote.
 */
function told({ receipts, events }: SimulatedLife): Readonly<Record<string, number>> {
  const outcomes = receipts.map((receipt) =>
    receipt.kind === "accepted" && receipt.deliveries.length === 0 ? "filtered" : receipt.kind,
  );
  const notices = events.filter(
    (event) =>
      (event.kind === "accepted" || event.kind === "duplicate") && !event.messageId.startsWith(PRIVATE.message),
  );
  expect(notices.length).toBeLessThanOrEqual(MAX_NOTICES);
  return tally([...outcomes, ...notices.map(({ kind }) => kind)].map((outcome) => [outcome, 1]));
}

/**
 * Each reply ended an attempt, or a round of a local fault, but for those under way in a crash, of which no process can tell. What our
 * own address policy refused is none.
 */
function checkAttempts(counted: Readonly<Record<string, number>>, { replies, crashes }: SimulatedLife): void {
  const given = tally(replies.map(({ lane, result }) => [`${lane} ${result === "599" ? "5xx" : result}`, 1]));
  for (const [key, replied] of Object.entries(given)) {
    const isExact = crashes === 0 && !key.endsWith(FORBIDDEN_ADDRESS);
    if (isExact) expect(counted[key], key).toBe(replied);
    expect(counted[key] ?? 0, key).toBeLessThanOrEqual(replied);
  }
  expect(Object.keys(counted).filter((key) => !(key in given))).toEqual([]);
}

/** The values of a family, or how many values its histograms have, added up by some of its labels. */
function sumsOf(
  { families }: MetricsSnapshot,
  name: string,
  labels: readonly number[],
): Readonly<Record<string, number>> {
  const points = families.filter((family) => family.name === name).flatMap((family) => [...family.points]);
  return tally(
    points.map((point) => {
      const amount = "value" in point ? point.value : point.counts.reduce((sum, count) => sum + count, 0);
      return [labels.map((label) => point.labels[label]![1]).join(" "), amount];
    }),
  );
}

function tally(amounts: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [key, amount] of amounts) sums[key] = (sums[key] ?? 0) + amount;
  return sums;
}

/** Kinds of events that lives have to have between them: else they would not show that these are counted. */
export const PLAYED: readonly RelayEvent["kind"][] = [
  ...(["accepted", "duplicate", "refused", "suppressed", "attempted", "delivered", "rescheduled", "died"] as const),
  ...(["local-fault", "replayed", "lane-held", "committed", "claimed"] as const),
];
