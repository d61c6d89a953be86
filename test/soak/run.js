// `npm run soak -- NAME`: plays one of the long runs to its end, on a new build. Its exit status is the run's.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { SOAKS } from "./soaks.js";

const NUMBERS = {
  runs: { type: "string" },
  minutes: { type: "string" },
  percent: { type: "string" },
  seed: { type: "string" },
};

process.exitCode = main(process.argv.slice(2));

/**
 * @param {string[]} words
 * @returns {number} 2 if the command cannot be understood
 */
function main(words) {
  const asked = read(words);
  if (typeof asked === "string") return refuse(asked);
  const { name, values } = asked;
  if (name === undefined || values.help) {
    console.log(help());
    return name === undefined && !values.help ? 2 : 0;
  }
  const soak = SOAKS[name];
  if (soak === undefined) return refuse(`there is no long run ${JSON.stringify(name)}`);
  const { part } = asked;
  if (soak.part === undefined && part !== undefined) return refuse("one long run at a time");
  if (soak.part !== undefined && part === undefined) return refuse(`${name} wants a ${soak.part} after its name`);
  const env = settingsOf(soak, values);
  if (typeof env === "string") return refuse(`${name} ${env}`);
  return play({ soak, part, env, only: values.only });
}

function read(words) {
  try {
    const options = { ...NUMBERS, only: { type: "string" }, help: { type: "boolean", short: "h" } };
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return positionals.length > 2 ? "one long run at a time" : { name: positionals[0], part: positionals[1], values };
  } catch (error) {
    return error.message;
  }
}

/** The environment that the options ask for, or what is wrong with them. */
function settingsOf({ settings = {} }, values) {
  const env = {};
  for (const option of Object.keys(NUMBERS)) {
    const value = values[option];
    if (value === undefined) continue;
    if (settings[option] === undefined) return `has no --${option}`;
    if (!/^[1-9]\d{0,8}$/.test(value))
      return `wants a whole number above 0 for --${option}, not ${JSON.stringify(value)}`;
    env[settings[option]] = value;
  }
  return env;
}

function play({ soak, part, env, only }) {
  if (part !== undefined)
    return spawn("node", ["test/mutation/run.js", part, ...(only === undefined ? [] : [only])], env);
  const chosen = only === undefined ? [] : ["--testNamePattern", only];
  const programs = soak.programs === undefined ? {} : { POSTRIDER_PROGRAMS: soak.programs.join() };
  const soaking = { ...env, ...programs, POSTRIDER_SOAK: "1" };
  return spawn("vitest", ["run", "--project", "soak", ...chosen, ...soak.files], soaking);
}

/** Runs a program of node_modules/.bin, which npm puts on the path. */
function spawn(program, args, env) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (error !== undefined) console.error(`${program}: ${error.message}; run it as npm run soak`);
  return status ?? 1;
}

function refuse(reason) {
  console.error(`soak: ${reason}\n\n${help()}`);
  return 2;
}

function help() {
  const rows = Object.entries(SOAKS).map(([name, { what, takes, part, settings = {} }]) => {
    const of = part === undefined ? "" : ` ${part}`;
    const options = Object.keys(settings).map((option) => ` [--${option} N]`);
    return `  ${(name + of + options.join("")).padEnd(31)} ${what} (${takes})`;
  });
  const only = `  ${"--only TEXT".padEnd(31)} plays the tests alone whose titles have this text`;
  return ["usage: npm run soak -- NAME [options]", "", ...rows, "", only].join("\n");
}
