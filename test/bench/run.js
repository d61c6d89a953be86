// `npm run bench -- [NAME ...]`: runs a benchmark. The names below are programs with separate arguments; all other names
// belong to the comparison with other libraries, which also runs if no name is given.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAMS = {
  backlog: "backlog.js",
  audience: "audience.js",
  reload: "reload.js",
  client: "../client/bench/bench.js",
};

const words = process.argv.slice(2);
const [program, args] = PROGRAMS[words[0]] === undefined ? ["bench.js", words] : [PROGRAMS[words[0]], words.slice(1)];
const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
