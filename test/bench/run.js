// `npm run bench -- [NAME ...]`: runs benchmarks by their names. Those of COMPARED belong to the comparison with other libraries,
// which runs whole if no name is given; those of PROGRAMS are programs with separate arguments.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const COMPARED = {
  throughput: "calls a second, stored, signed, delivered and settled, beside other queues and a bare loop",
  cost: "CPU and instructions of a call beside a bare POST: single calls, batches, TLS, long bodies, slow receivers, neighbours",
  latency: "from a request to its answer and to the receiver's first byte, beside other queues",
  isolation: "nine destinations beside one that hangs",
  scale: "many deliveries that wait, and many destinations",
  core: "mapping, writing and signing a message, beside JSON.stringify and createHmac",
};

const PROGRAMS = {
  backlog: { file: "backlog.js", what: "draining a backlog" },
  audience: { file: "audience.js", what: "a sync of a large audience" },
  memory: {
    file: "memory.js",
    what: "resident memory over a million deliveries beside a million that wait: [DELIVERIES] [WAITING]",
  },
  reload: { file: "reload.js", what: "a reload of 10,000 destinations while callers call" },
  metrics: { file: "metrics.js", what: "CPU of a call with metrics and without, and a scrape" },
  console: {
    file: "console.js",
    what: "CPU of a call with eight pages of the console open, and what rows cost a page",
  },
  tracing: { file: "tracing.js", what: "spans of OpenTelemetry: CPU of a call with 1 % recorded, and without" },
  fleet: { file: "fleet.js", what: "servers on one PostgreSQL: first bytes with hints and without, and CPU of a call" },
  stores: {
    file: "stores.js",
    what: "CPU of a call in the stores, beside pg-boss, and of a claim beside many deliveries",
  },
  bloat: {
    file: "bloat.js",
    what: "size, dead rows and commits on PostgreSQL in five minutes, a snapshot held for one",
  },
  instructions: {
    file: "instructions.js",
    what: "instructions of PostgreSQL for a call, by valgrind: [--keep]",
  },
  client: { file: "../client/bench/bench.js", what: "the calling library, beside other ones" },
};

process.exitCode = main(process.argv.slice(2));

function main(words) {
  if (words.includes("--help") || words.includes("-h")) {
    console.log(help());
    return 0;
  }
  const program = PROGRAMS[words[0]];
  if (program !== undefined) return play(program.file, words.slice(1));
  const unknown = words.find((word) => COMPARED[word] === undefined);
  if (unknown === undefined) return play("bench.js", words);
  console.error(`bench: there is no benchmark ${JSON.stringify(unknown)}\n\n${help()}`);
  return 2;
}

function play(file, args) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return spawnSync(process.execPath, [path, ...args], { stdio: "inherit" }).status ?? 1;
}

function help() {
  const row = ([name, what]) => `  ${name.padEnd(12)} ${what}`;
  return [
    "usage: npm run bench -- [NAME ...]",
    "",
    "compared with others; all of them if no name is given:",
    ...Object.entries(COMPARED).map(row),
    "",
    "one at a time:",
    ...Object.entries(PROGRAMS).map(([name, { what }]) => row([name, what])),
    "",
    "BENCH_BASE=FOLDER compares with another checkout that is built; BENCH_ROUNDS, BENCH_RUN_MS, BENCH_ARMS=ours,base and",
    "BENCH_VARIANTS='single calls,TLS' make a run shorter; with BENCH_GATE=1 a missed gate is status 1. All settings are in",
    "test/bench/settings.js, what is asked in test/bench/targets.js, the method in docs/benchmarks.md.",
  ].join("\n");
}
