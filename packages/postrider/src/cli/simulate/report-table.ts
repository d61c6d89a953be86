// Writes the report of a simulation as a table: a line for each destination, and one for all.

import type { SimulationReport, DeliveryTotals } from "@postrider/simulator";
import type { Line } from "../terminal/line.js";
import { tableLines } from "../terminal/table.js";
import { formatDuration } from "./format-duration.js";

const COLUMNS = [
  "destination",
  "deliveries",
  "delivered",
  "dead",
  "requests",
  "per delivery",
  "p50",
  "p99",
  "slowest",
].map((heading) => ({ heading }));

export function reportTable(report: SimulationReport): readonly Line[] {
  const { destinations, total, peakWaiting, processes, durationMs, seed, trace } = report;
  const rows = [...Object.entries(destinations).map(([name, tally]) => rowOf(name, tally)), rowOf("all", total)];
  return [
    ...tableLines(COLUMNS, rows),
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

function whole(count: number): string {
  return count.toLocaleString("en");
}
