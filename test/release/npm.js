// Runs npm, as a person would: what it may do, and with which credentials, is decided by the settings of npm.

import { spawnSync } from "node:child_process";

/** A command that takes longer is ended. */
const NPM_WATCHDOG_MS = 300_000;
const MAX_OUTPUT_BYTES = 2 ** 26;

/**
 * @param {readonly string[]} words
 * @param {string} cwd
 * @returns {{ readonly ok: boolean, readonly stdout: string, readonly stderr: string }}
 */
export function runNpm(words, cwd) {
  const options = { cwd, encoding: "utf8", timeout: NPM_WATCHDOG_MS, maxBuffer: MAX_OUTPUT_BYTES };
  const { status, stdout, stderr, error } = spawnSync("npm", words, options);
  return {
    ok: status === 0,
    stdout: stdout ?? "",
    stderr: `${stderr ?? ""}${error === undefined ? "" : error.message}`,
  };
}

/** The options that bind a command to one registry, also where the settings name another one for our scope. */
export function atRegistry(registry) {
  return [`--registry=${registry}`, `--@postrider:registry=${registry}`, "--fetch-retries=1", "--prefer-online"];
}

/** The lines of npm that say why it failed. */
export function reasonOf({ stdout, stderr }) {
  const lines = `${stderr}\n${stdout}`.split("\n").filter((line) => line.startsWith("npm error"));
  return lines.length === 0 ? stderr.trim() : lines.slice(0, 4).join("\n");
}
