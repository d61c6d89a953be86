// `npm run bench -- [NAME ...]`: builds, then runs a benchmark. The names below are programs with arguments of their own; all
// else is for the comparison with other libraries, which is what runs if nothing is named.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAMS = {
  backlog: "backlog.js",
  audience: "audience.js",
  reload: "reload.js",
  client: "../client/bench/bench.js",
};

const [name, ...rest] = process.argv.slice(2);
const program = PROGRAMS[name];
const args = program === undefined ? ["bench.js", ...process.argv.slice(2)] : [program, ...rest];

process.exitCode =
  run("tsc", ["-b"]) || run(process.execPath, [fileURLToPath(new URL(args[0], import.meta.url)), ...args.slice(1)]);

function run(command, words) {
  const { status, error } = spawnSync(command, words, { stdio: "inherit" });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return status ?? 1;
}
