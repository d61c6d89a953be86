// The tables of scale.

import { figures, ratioTable, table } from "./tables.js";

export function scaleTables({ waiting, destinations }) {
  const rate = ({ postsPerSecond }) => postsPerSecond;
  const claims = [1, 32, 512].flatMap((limit) => ["p50", "p99"].map((share) => [limit, share]));
  const waitingRows = waiting.arms.map((name) => [
    Number(name).toLocaleString("en-US"),
    figures(waiting.rounds, name, rate),
    figures(waiting.rounds, name, ({ drained }) => drained.postsPerSecond),
    ...claims.map(([limit, share]) => figures(waiting.rounds, name, (result) => result.claims[limit][share], 1)),
    figures(waiting.rounds, name, (result) => result.residentMegabytes),
  ]);
  const destinationRows = destinations.arms.map((name) => [
    Number(name).toLocaleString("en-US"),
    figures(destinations.rounds, name, rate),
    figures(destinations.rounds, name, (result) => result.residentMegabytes),
  ]);
  const claimTitles = claims.map(([limit, share]) => `claim of ${limit}, ms, ${share}`);
  return [
    ...table(
      ["waiting", "delivered a second beside it", "drained a second", ...claimTitles, "resident, MB"],
      waitingRows,
    ),
    "",
    ...ratioTable({ ...waiting, pairs: toFirst(waiting.arms), picks: { throughput: rate } }),
    "",
    ...table(["destinations", "delivered a second", "resident, MB"], destinationRows),
    "",
    ...ratioTable({ ...destinations, pairs: toFirst(destinations.arms), picks: { throughput: rate } }),
  ];
}

function toFirst([first, ...others]) {
  return others.map((other) => [other, first]);
}
