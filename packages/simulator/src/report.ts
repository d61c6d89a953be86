// The report of a simulation, as plain data.

import type { DeadReason } from "@postrider/core";
import type { KnownDelivery, Ledger } from "./ledger/ledger.js";

/** What came of a simulation. */
export interface SimulationReport {
  readonly seed: number;
  /** A hash over all that happened, as 16 hexadecimal digits. Equal options and seeds give equal hashes. */
  readonly trace: string;
  /** Calls that were stored. */
  readonly calls: number;
  /** The totals over all destinations. */
  readonly total: DeliveryTotals;
  readonly destinations: Readonly<Record<string, DeliveryTotals>>;
  /** The most deliveries that waited at once. */
  readonly peakWaiting: number;
  /** How many processes were started in all. */
  readonly processes: number;
  /** How long the simulation took, by the simulated clock. */
  readonly durationMs: number;
}

/** The numbers of one destination, or of all of them, at the end of a simulation. */
export interface DeliveryTotals {
  readonly deliveries: number;
  readonly delivered: number;
  /** The number of dead deliveries for each reason that occurred. */
  readonly dead: Readonly<Partial<Record<DeadReason, number>>>;
  /** Requests that were sent. */
  readonly requests: number;
  /** Requests divided by deliveries; 0 if there was no delivery. */
  readonly requestsPerDelivery: number;
  /** The time from acceptance to delivery, over all delivered deliveries; null if nothing was delivered. */
  readonly lagMs: LagPercentiles | null;
}

/** Percentiles of a delay, in milliseconds. */
export interface LagPercentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function buildReport(ledger: Ledger, seed: number): SimulationReport {
  const all = [...ledger.deliveries.values()];
  const byLane = new Map<string, KnownDelivery[]>();
  for (const known of all) {
    const lane = byLane.get(known.lane);
    if (lane === undefined) byLane.set(known.lane, [known]);
    else lane.push(known);
  }
  return {
    seed,
    trace: ledger.trace.hash(),
    calls: ledger.stored.size,
    total: totalsOf(all),
    destinations: Object.fromEntries([...byLane].map(([lane, known]) => [lane, totalsOf(known)])),
    peakWaiting: ledger.peakWaiting,
    processes: ledger.processes,
    durationMs: ledger.clock.monotonic(),
  };
}

function totalsOf(all: readonly KnownDelivery[]): DeliveryTotals {
  const delivered = all.filter(({ state }) => state === "delivered");
  const requests = all.reduce((sum, { sent }) => sum + sent.length, 0);
  const dead: Partial<Record<DeadReason, number>> = {};
  for (const { reason } of all) if (reason !== undefined) dead[reason] = (dead[reason] ?? 0) + 1;
  return {
    deliveries: all.length,
    delivered: delivered.length,
    dead,
    requests,
    requestsPerDelivery: all.length === 0 ? 0 : requests / all.length,
    lagMs: lagOf(delivered.map(({ acceptedAt, finishedAt }) => (finishedAt ?? acceptedAt) - acceptedAt)),
  };
}

function lagOf(lags: number[]): LagPercentiles | null {
  const sorted = lags.sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? null : { p50: at(0.5), p99: at(0.99), max: at(1) };
}
