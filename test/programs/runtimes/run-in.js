// Runs programs in runtimes: each is a text that defines `makeCall`, as the pages of the bundlers do. What a program throws fails its
// run.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

const PACKAGES = fileURLToPath(new URL("../../../packages/", import.meta.url));
/** What npm installs for `@postrider/client`. */
const INSTALLED = ["client", "core", "system"];

/** A storage in memory, as a text, since it is a part of each program. */
const STORAGE = `(${createStorage.toString()})()`;

function createStorage() {
  const kept = new Map();
  const load = () => Promise.resolve({ calls: [...kept.values()], next: undefined, stored: kept.size });
  const change = ({ keep, drop }) => {
    for (const messageId of drop) kept.delete(messageId);
    for (const call of keep) kept.set(call.messageId, call);
    return Promise.resolve(kept.size);
  };
  return { maxCalls: 100, load, change };
}

/** An expression that makes the call, and resolves with what flushing has answered. `options` is a text too. */
export function callText(endpoint, options = "{}") {
  return `globalThis.makeCall(${JSON.stringify(endpoint)}, ${STORAGE}, ${options})`;
}

/**
 * Runs `command` on a file with this name and code, in a folder into which npm has installed the client, and resolves with what it has
 * printed.
 */
export async function runProgram({ command, words = [], file, code, others = {} }) {
  const folder = await mkdtemp(join(tmpdir(), "postrider-program-"));
  try {
    await installClient(folder);
    for (const [name, text] of Object.entries({ ...others, [file]: code })) await writeFile(join(folder, name), text);
    return await run(command, [...words, file], folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function installClient(folder) {
  for (const name of INSTALLED) {
    const place = join(folder, "node_modules/@postrider", name);
    await mkdir(place, { recursive: true });
    for (const part of ["dist", "package.json"]) {
      await cp(join(PACKAGES, name, part), join(place, part), { recursive: true });
    }
  }
}

/** Rejects with what was printed if the exit status is not 0. */
function run(command, words, cwd) {
  return new Promise((resolve, reject) => {
    execFile(command, words, { cwd, timeout: CONDITION_WATCHDOG_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(`${stdout}${stderr}`);
      else reject(new Error(`${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** A worker that runs this module's text, by the rules of this date; `printed` gets what it prints. */
export function createWorkerd(script, compatibilityDate = "2026-07-01", printed = []) {
  return new Miniflare({
    modules: true,
    script,
    compatibilityDate,
    cf: false,
    handleRuntimeStdio: (...streams) => {
      for (const stream of streams) stream.setEncoding("utf8").on("data", (text) => printed.push(text));
    },
  });
}
