// Writes the report of a simulation as a table: a line for each destination, and one for all. Under it, for each destination,
// what its receivers got at worst, how long it was held, and when its backlog was gone.

import { formatDuration } from "@postrider/core/engine";
import { counted } from "../format-count.js";
import type { SimulationReport, DeliveryTotals } from "@postrider/simulator";
import type { Line } from "../terminal/line.js";
import { tableLines } from "../terminal/table.js";

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
    ...Object.entries(destinations).map(([name, totals]) => `${name}: ${burdenOf(totals)}`),
    "",
    `${counted(report.calls, "call")}, at most ${counted(peakWaiting, "delivery", "deliveries")} waiting, ${counted(processes, "process", "processes")}, ${formatDuration(durationMs)} of simulated time`,
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

/** All times are from the start of the scenario. */
function burdenOf({ worstSecond, heldMs, waitedForProbe, backlogGoneAtMs }: DeliveryTotals): string {
  const worst =
    worstSecond === null
      ? "no request"
      : `at most ${counted(worstSecond.requests, "request")} in a second, after ${formatDuration(worstSecond.atMs)}`;
  const held =
    heldMs === 0 ? "never held" : `held for ${formatDuration(heldMs)}, ${percent(waitedForProbe)} waited for a probe`;
  const backlog = backlogGoneAtMs === null ? "no backlog" : `backlog gone after ${formatDuration(backlogGoneAtMs)}`;
  return `${worst}; ${held}; ${backlog}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;
}

function whole(count: number): string {
  return count.toLocaleString("en");
}
