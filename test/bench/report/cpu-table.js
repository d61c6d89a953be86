// The table that says where the CPU of a call goes: by thread, by process, and in instructions. The parts of a sum are shown by their
// medians alone, since the table is wide.

import { ROLES } from "../cpu/roles.js";
import { figures, instructionsOf, medianFigure, rateOf, serverCpu, table } from "./tables.js";

const TITLES = { main: "main thread", worker: "store thread", v8: "V8's pool", others: "other threads" };
const HEAD = [
  ...["arm", "delivered a second", "S or B: CPU a call, µs"],
  ...ROLES.map((role) => TITLES[role]),
  ...["its database server", "callers", "receiver", "kinst", "kinst of main", "loop late, p99, ms", "longest"],
];

/** A row for each arm. All is microseconds a delivered call unless its column says otherwise. */
export function cpuTable({ arms, rounds }) {
  return table(
    HEAD,
    arms.map((name) => rowOf(name, rounds)),
  );
}

/** The same with a further first column, for arms in several circumstances: `parts` are `[name, { arms, rounds }]`. */
export function cpuTableOf(title, parts) {
  const rows = parts.flatMap(([part, { arms, rounds }]) => arms.map((name) => [part, ...rowOf(name, rounds)]));
  return table([title, ...HEAD], rows);
}

function rowOf(name, rounds) {
  const spreadOf = (pick, digits) => figures(rounds, name, pick, digits);
  const medianOf = (pick) => medianFigure(rounds, name, pick, 1);
  return [
    name,
    spreadOf(rateOf),
    spreadOf(serverCpu, 1),
    ...ROLES.map((role) => medianOf(({ cpuUs }) => cpuUs.threads?.[role])),
    ...["servers", "callers", "receiver"].map((who) => medianOf(({ cpuUs }) => cpuUs[who])),
    spreadOf(instructionsOf),
    medianOf(({ kinst }) => kinst?.threads.main),
    spreadOf(({ loopDelayMs }) => loopDelayMs.p99, 1),
    medianOf(({ loopDelayMs }) => loopDelayMs.max),
  ];
}
