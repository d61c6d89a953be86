// The tables of isolation.

import { figures, ratioTable, table } from "./tables.js";

export function isolationTables({ arms, waiting, rounds }) {
  const p99 = ({ whole }) => whole.p99;
  const rows = arms.map((name) => [
    name === "one hangs" ? `one hangs, ${waiting.toLocaleString("en-US")} waiting` : name,
    ...["p50", "p99"].map((share) => figures(rounds, name, ({ whole }) => whole[share], 1)),
    figures(rounds, name, ({ hung }) => hung),
  ]);
  const pairs = [
    ["one hangs", "all well"],
    ["all well again", "all well"],
  ];
  return [
    ...table(["the other nine, request to first byte, ms", "p50", "p99", "attempts that hung"], rows),
    "",
    ...ratioTable({ arms, rounds, pairs, picks: { p99 } }),
  ];
}
