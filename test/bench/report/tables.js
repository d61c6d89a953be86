// What the tables of all benchmarks have in common: figures over rounds, ratios within a round, and lines of Markdown.

import { numberText, quantile, spreadText } from "../statistics.js";

/** The spread of one figure of one arm over the rounds; a question mark if it was not measured. */
export function figures(rounds, name, pick, digits) {
  const values = rounds.map((round) => pick(round[name]));
  return values.every(isMeasured) ? spreadText(values, digits) : "?";
}

/** The median alone. */
export function medianFigure(rounds, name, pick, digits) {
  const values = rounds.map((round) => pick(round[name]));
  return values.every(isMeasured) ? numberText(quantile(values, 0.5), digits) : "?";
}

/** Ratios within a round; none for arms that were left out. */
export function ratioTable({ arms, rounds, pairs, picks }) {
  const rows = pairs
    .filter((pair) => pair.every((name) => arms.includes(name)))
    .map((pair) => [pair.join(" / "), ...Object.values(picks).map((pick) => ratioText(rounds, pair, pick))]);
  return table(["ratio", ...Object.keys(picks)], rows);
}

/** The spread of a ratio of two arms; a question mark if it was not measured. */
export function ratioText(rounds, pair, pick) {
  const values = ratiosOf(rounds, pair, pick);
  return values.every(isMeasured) ? spreadText(values, 2) : "?";
}

/** The ratio of a figure of two arms in each round. */
export function ratiosOf(rounds, [over, under], pick) {
  return rounds.map((round) => pick(round[over]) / pick(round[under]));
}

/** What the machine of a server spends on a call: of an arm that stores its S, of a bare loop its B. */
export function serverCpu({ cpuUs }) {
  return cpuUs.process + cpuUs.servers;
}

export function rateOf({ postsPerSecond }) {
  return postsPerSecond;
}

/** Thousand instructions a call; undefined where they are not counted. */
export function instructionsOf({ kinst }) {
  return kinst?.process;
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function isMeasured(value) {
  return Number.isFinite(value);
}
