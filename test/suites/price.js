// The price of a suite: its CPU time beside that of a fixed loop, which neighbours on the machine inflate alike, and its
// dearest files. A suite that has become dearer prints a warning, and fails nothing.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const DEAREST = 10;
/** A suite that costs this much more than its kept ratio has a warning. */
const WARN_FROM = 1.25;
const ROUNDS = 30;
/** Of `/proc/self/stat`, which counts in hundredths of a second on every Linux. */
const MS_PER_TICK = 10;

/** A loop of the same work each time: objects to JSON and back, text into a map, and a hash. */
export function createReference() {
  let spentUs = 0;
  return {
    run() {
      const before = process.cpuUsage();
      for (let round = 0; round < ROUNDS; round += 1) work(round);
      const { user, system } = process.cpuUsage(before);
      spentUs += user + system;
    },
    cpuMs: () => spentUs / 1000,
  };
}

function work(round) {
  const seen = new Map();
  for (let index = 0; index < 10_000; index += 1) {
    const text = JSON.stringify({ round, index, name: `name ${index}`, values: [index, index + 1] });
    seen.set(text, JSON.parse(text));
  }
  return createHash("sha256")
    .update([...seen.keys()].join("\n"))
    .digest("hex");
}

/** The CPU time of all ended processes that this one started, theirs included; undefined where the platform does not tell it. */
export function cpuOfChildrenMs() {
  if (!existsSync("/proc/self/stat")) return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name before may contain blanks and brackets. After it come the state and, as 14th and 15th, the times of children.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** @returns {string} lines to print */
export function describePrice({ wallMs, cpuMs, referenceMs, keptRatio, durations }) {
  return ["", ...dearest(durations), "", ...cost({ wallMs, cpuMs, referenceMs, keptRatio })].join("\n");
}

function dearest(durations) {
  if (!existsSync(durations)) return [];
  const rows = readFileSync(durations, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const totalMs = ({ loadMs, testMs }) => loadMs + testMs;
  const top = rows.toSorted((left, right) => totalMs(right) - totalMs(left)).slice(0, DEAREST);
  const loadS = rows.reduce((sum, { loadMs }) => sum + loadMs, 0) / 1000;
  const testS = rows.reduce((sum, { testMs }) => sum + testMs, 0) / 1000;
  return [
    `${rows.length} test files: ${loadS.toFixed(0)} s to load, ${testS.toFixed(0)} s to run. The dearest:`,
    ...top.map((row) => `  ${(totalMs(row) / 1000).toFixed(1).padStart(6)} s  ${row.file} (${row.project})`),
  ];
}

function cost({ wallMs, cpuMs, referenceMs, keptRatio }) {
  const wall = `${(wallMs / 60_000).toFixed(1)} min`;
  if (cpuMs === undefined) return [`took ${wall}; this platform does not tell the CPU time of children`];
  const ratio = cpuMs / referenceMs;
  const reference = `${ratio.toFixed(0)} times the reference loop (${(referenceMs / 1000).toFixed(2)} s)`;
  const line = `took ${wall}, ${(cpuMs / 60_000).toFixed(1)} min of CPU: ${reference}`;
  if (keptRatio === undefined) return [line];
  const isDear = ratio > keptRatio * WARN_FROM;
  const warning = "WARNING: a quarter dearer than the kept ratio; the dearest files above say where";
  return [`${line}, kept at ${keptRatio}`, ...(isDear ? [warning] : [])];
}
