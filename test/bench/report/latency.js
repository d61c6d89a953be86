// The table of latency.

import { figures, serverCpu, table } from "./tables.js";

export function latencyTables({ arms, rounds }) {
  const spans = { "request to 200": "toAnswer", "200 to first byte": "toFirstByte", "request to first byte": "whole" };
  const columns = Object.entries(spans).flatMap(([title, span]) => ["p50", "p99"].map((share) => [title, span, share]));
  const rows = arms.map((name) => [
    name,
    ...columns.map(([, span, share]) => figures(rounds, name, (result) => result[span][share], 1)),
    figures(rounds, name, serverCpu),
  ]);
  return table(["arm, ms", ...columns.map(([title, , share]) => `${title}, ${share}`), "CPU a call, µs"], rows);
}
