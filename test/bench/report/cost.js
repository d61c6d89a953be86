// The tables of cost: the arms in each of the circumstances, and what they are beside each other.

import { ceilingOf } from "../cost/variants.js";
import { numberText, spreadText } from "../statistics.js";
import { cpuTableOf } from "./cpu-table.js";
import { instructionsOf, rateOf, ratioText, serverCpu, table } from "./tables.js";
import { BARE } from "./throughput.js";

export function costTables({ variants, arms, rounds }) {
  const parts = variants.map((variant) => partOf(variant, { arms, rounds }));
  const ratios = parts.flatMap(([name, part]) => {
    const rows = [
      ["ours", BARE],
      ["ours", "base"],
    ].filter((pair) => pair.every((arm) => part.arms.includes(arm)));
    return rows.map((pair) => [
      name,
      pair.join(" / "),
      ...[serverCpu, instructionsOf, rateOf].map((pick) => ratioText(part.rounds, pair, pick)),
    ]);
  });
  const slow = variants.filter(({ delayMs }) => delayMs !== undefined);
  return [
    ...cpuTableOf("circumstances", parts),
    "",
    ...(ratios.length === 0
      ? []
      : [...table(["circumstances", "ratio", "CPU a call", "kinst", "throughput"], ratios), ""]),
    ...(slow.length === 0 ? [] : ceilingTable(slow, { arms, rounds })),
  ];
}

/** The share of what its slots allow, in each round. */
export function ceilingShares(variant, rounds, arm = "ours") {
  return rounds.map((round) => rateOf(round[variant.name][arm]) / ceilingOf(variant));
}

function partOf({ name }, { arms, rounds }) {
  const own = rounds.map((round) => round[name]);
  return [name, { arms: arms.filter((arm) => own.every((round) => round[arm] !== undefined)), rounds: own }];
}

function ceilingTable(variants, { arms, rounds }) {
  const storing = arms.filter((arm) => arm !== BARE);
  const rows = variants.flatMap((variant) =>
    storing.map((arm) => [
      variant.name,
      arm,
      spreadText(rounds.map((round) => rateOf(round[variant.name][arm]))),
      numberText(ceilingOf(variant)),
      spreadText(ceilingShares(variant, rounds, arm), 2),
    ]),
  );
  return table(["one destination", "arm", "delivered a second", "ceiling of its slots", "share"], rows);
}
