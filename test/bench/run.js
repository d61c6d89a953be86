// `npm run bench -- [NAME ...]`: runs a benchmark. The names below are programs with arguments of their own; all else is for
// the comparison with other libraries, which is what runs if nothing is named.

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
