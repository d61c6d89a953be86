// The tables of core.

import { figures, ratioTable, table } from "./tables.js";

export function coreTables({ arms, rounds }) {
  const rate = ({ perSecond }) => perSecond;
  const pairs = [
    ["core", "bare"],
    ["core again", "core"],
    ["bare again", "bare"],
  ];
  return [
    ...table(
      ["arm", "calls a second"],
      arms.map((name) => [name, figures(rounds, name, rate)]),
    ),
    "",
    ...ratioTable({ arms, rounds, pairs, picks: { "calls a second": rate } }),
  ];
}
