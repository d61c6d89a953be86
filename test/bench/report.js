// Makes the tables of docs/benchmarks.md from the measurements.

import { load } from "./machine.js";
import { spread, spreadText } from "./statistics.js";

const TABLES = {
  throughput: throughputTables,
  latency: latencyTables,
  isolation: isolationTables,
  scale: scaleTables,
  core: coreTables,
};

/** The lines of a benchmark's tables. */
export function tablesOf(name, result) {
  return [`## ${name} (load ${load()} after)`, "", ...TABLES[name](result), ""];
}

function throughputTables({ arms, rounds }) {
  const rate = ({ postsPerSecond }) => postsPerSecond;
  const bare = fastest(arms.filter((name) => name.startsWith("bare")));
  const isPeer = (name) => !name.startsWith("bare") && !name.startsWith("ours") && name !== "base";
  const peer = fastest(arms.filter(isPeer));
  const rows = arms.map((name) => [
    name,
    figures(rounds, name, rate),
    ...["process", "servers", "callers"].map((who) => figures(rounds, name, ({ cpuUs }) => cpuUs[who])),
  ]);
  const pairs = [
    ["ours", bare],
    ["ours", peer],
    ["ours", "base"],
    ["ours again", "ours"],
  ];
  return [
    ...table(["arm", "delivered a second", "CPU a POST, µs: its process", "its database server", "the callers"], rows),
    "",
    ...loopDelayTable({ arms, rounds }),
    ...ratioTable({ arms, rounds, pairs, picks: { throughput: rate, "CPU a POST": totalCpu } }),
  ];

  function fastest(names) {
    const median = (name) => spread(rounds.map((round) => rate(round[name]))).median;
    return names.toSorted((one, other) => median(other) - median(one))[0];
  }
}

/** Of the arms that report it. */
function loopDelayTable({ arms, rounds }) {
  const told = arms.filter((name) => rounds.every((round) => round[name].loopDelayMs !== undefined));
  if (told.length === 0) return [];
  const rows = told.map((name) => [
    name,
    ...["p99", "max"].map((share) => figures(rounds, name, ({ loopDelayMs }) => loopDelayMs[share], 1)),
  ]);
  return [...table(["how late the event loop is, ms", "p99", "longest"], rows), ""];
}

function latencyTables({ arms, rounds }) {
  const spans = { "request to 200": "toAnswer", "200 to first byte": "toFirstByte", "request to first byte": "whole" };
  const columns = Object.entries(spans).flatMap(([title, span]) => ["p50", "p99"].map((share) => [title, span, share]));
  const rows = arms.map((name) => [
    name,
    ...columns.map(([, span, share]) => figures(rounds, name, (result) => result[span][share], 1)),
  ]);
  return table(["arm, ms", ...columns.map(([title, , share]) => `${title}, ${share}`)], rows);
}

function isolationTables({ arms, waiting, rounds }) {
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

function scaleTables({ waiting, destinations }) {
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

function coreTables({ arms, rounds }) {
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

function totalCpu({ cpuUs }) {
  return cpuUs.process + cpuUs.servers + cpuUs.callers;
}

function toFirst([first, ...others]) {
  return others.map((other) => [other, first]);
}

function figures(rounds, name, pick, digits) {
  return spreadText(
    rounds.map((round) => pick(round[name])),
    digits,
  );
}

/** Ratios within a round; none for arms that were left out. */
function ratioTable({ arms, rounds, pairs, picks }) {
  const rows = pairs
    .filter((pair) => pair.every((name) => arms.includes(name)))
    .map(([over, under]) => [
      `${over} / ${under}`,
      ...Object.values(picks).map((pick) =>
        spreadText(
          rounds.map((round) => pick(round[over]) / pick(round[under])),
          2,
        ),
      ),
    ]);
  return table(["ratio", ...Object.keys(picks)], rows);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
