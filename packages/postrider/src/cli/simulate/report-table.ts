// Writes the report of a simulation as a table: a line for each destination, and one for all.

import type { SimulationReport, DeliveryTotals } from "@postrider/simulator";
import { formatDuration } from "./format-duration.js";

const HEADINGS = [
  "destination",
  "deliveries",
  "delivered",
  "dead",
  "requests",
  "per delivery",
  "p50",
  "p99",
  "slowest",
];

export function reportTable(report: SimulationReport): readonly string[] {
  const { destinations, total, peakWaiting, processes, durationMs, seed, trace } = report;
  const rows = [
    HEADINGS,
    ...Object.entries(destinations).map(([name, tally]) => rowOf(name, tally)),
    rowOf("all", total),
  ];
  return [
    ...aligned(rows),
    "",
    `${whole(report.calls)} calls, at most ${whole(peakWaiting)} deliveries waiting, ${whole(processes)} processes, ${formatDuration(durationMs)} of simulated time`,
    `seed ${String(seed)}, trace ${trace}`,
  ];
}

function rowOf(name: string, tally: DeliveryTotals): readonly string[] {
  const { deliveries, delivered, dead, requests, requestsPerDelivery, lagMs } = tally;
  const deaths = Object.entries(dead).map(([reason, count]) => `${whole(count)} ${reason}`);
  const lags = lagMs === null ? ["", "", ""] : [lagMs.p50, lagMs.p99, lagMs.max].map(formatDuration);
  return [
    name,
    whole(deliveries),
    whole(delivered),
    deaths.join(", ") || "0",
    whole(requests),
    requestsPerDelivery.toFixed(2),
    ...lags,
  ];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function whole(count: number): string {
  return count.toLocaleString("en");
}
