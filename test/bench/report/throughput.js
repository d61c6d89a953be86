// The tables of throughput: what each arm delivers and spends, ratios, and the formula.

import { spread } from "../statistics.js";
import { BARE_CONNECTIONS } from "../settings.js";
import { cpuTable } from "./cpu-table.js";
import { formulaTable } from "./formula.js";
import { instructionsOf, rateOf, ratioTable, serverCpu } from "./tables.js";

/** The bare loop whose POST is B. */
export const BARE = `bare ${BARE_CONNECTIONS[0]}`;

export function throughputTables({ arms, rounds }) {
  const fastestBare = fastestOf(arms.filter(isBare), rounds);
  const pairs = [
    ["ours", BARE],
    ...(fastestBare === BARE ? [] : [["ours", fastestBare]]),
    ["ours", bestPeer({ arms, rounds })],
    ["ours", "base"],
    ["ours again", "ours"],
  ];
  const picks = { "CPU a call": serverCpu, kinst: instructionsOf, throughput: rateOf };
  return [
    ...cpuTable({ arms, rounds }),
    "",
    ...ratioTable({ arms, rounds, pairs, picks }),
    "",
    ...(["ours", BARE].every((name) => arms.includes(name)) ? formulaTable({ rounds, ours: "ours", bare: BARE }) : []),
  ];
}

/** The fastest arm that is another library; undefined if there was none. */
export function bestPeer({ arms, rounds }) {
  const isPeer = (name) => !isBare(name) && !name.startsWith("ours") && name !== "base";
  return fastestOf(arms.filter(isPeer), rounds);
}

/** The fastest bare loop. */
export function fastestBareOf({ arms, rounds }) {
  return fastestOf(arms.filter(isBare), rounds);
}

function isBare(name) {
  return name.startsWith("bare");
}

function fastestOf(names, rounds) {
  const median = (name) => spread(rounds.map((round) => rateOf(round[name]))).median;
  return names.toSorted((one, other) => median(other) - median(one))[0];
}
