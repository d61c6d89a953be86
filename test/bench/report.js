// Makes the tables of docs/benchmarks.md from the measurements.

import { load } from "./machine.js";
import { coreTables } from "./report/core.js";
import { costTables } from "./report/cost.js";
import { isolationTables } from "./report/isolation.js";
import { latencyTables } from "./report/latency.js";
import { scaleTables } from "./report/scale.js";
import { throughputTables } from "./report/throughput.js";

const TABLES = {
  throughput: throughputTables,
  cost: costTables,
  latency: latencyTables,
  isolation: isolationTables,
  scale: scaleTables,
  core: coreTables,
};

/** The lines of a benchmark's tables. */
export function tablesOf(name, result) {
  return [`## ${name} (load ${load()} after)`, "", ...TABLES[name](result), ""];
}
