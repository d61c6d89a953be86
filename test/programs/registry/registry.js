// Starts a registry on the loopback, with an empty storage. Packages of others come through it from the registry that npm is
// configured for at run time; ours only from what is published to it.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { portForRestarts } from "../../free-ports.js";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

const PROGRAM = fileURLToPath(new URL("node_modules/verdaccio/bin/verdaccio", import.meta.url));
/** How long it may take to start, and to end after a signal. */
const STOP_MS = 5_000;
const PING_INTERVAL_MS = 100;

/**
 * @param {{ readonly port?: number }} options - `port`: a free one if absent
 * @returns {Promise<{ readonly url: string, readonly npmrc: string, readonly ended: Promise<void>, stop(): Promise<void> }>}
 *   `npmrc` is a file of npm settings with which anything may be published there
 * @throws {Error} if it does not start
 */
export async function startRegistry({ port } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-registry-"));
  const chosen = port ?? (await portForRestarts());
  const url = `http://127.0.0.1:${chosen}/`;
  const npmrc = join(folder, "npmrc");
  // npm publishes only with a token; this registry takes any.
  writeFileSync(npmrc, `registry=${url}\n//127.0.0.1:${chosen}/:_authToken=none\n`);
  const config = join(folder, "config.yaml");
  writeFileSync(config, JSON.stringify(settings(folder)));
  const program = spawn(process.execPath, [PROGRAM, "--config", config, "--listen", `127.0.0.1:${chosen}`], {
    cwd: folder,
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => program.once("exit", () => resolve()));
  const stop = () => stopProgram({ program, ended, folder });
  try {
    await untilItAnswers(url, program);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, npmrc, ended, stop };
}

/** JSON is YAML, which the program reads. */
function settings(folder) {
  const ours = { access: "$all", publish: "$all", unpublish: "$all" };
  return {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
    uplinks: { upstream: { url: upstream(), timeout: "60s", max_fails: 5 } },
    packages: { "@postrider/*": ours, postrider: ours, "**": { access: "$all", proxy: "upstream" } },
    web: { enable: false },
    max_body_size: "50mb",
    log: { type: "file", path: join(folder, "log"), level: "warn" },
  };
}

function upstream() {
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { cwd: tmpdir(), encoding: "utf8" });
  return stdout.trim();
}

async function untilItAnswers(url, program) {
  const endsAt = performance.now() + CONDITION_WATCHDOG_MS;
  while (performance.now() < endsAt) {
    if (program.exitCode !== null) throw new Error(`the registry ended with status ${program.exitCode}`);
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(() => resolve(), PING_INTERVAL_MS));
  }
  throw new Error(`the registry did not answer within ${CONDITION_WATCHDOG_MS} ms`);
}

async function stopProgram({ program, ended, folder }) {
  program.kill("SIGTERM");
  const timer = setTimeout(() => program.kill("SIGKILL"), STOP_MS);
  if (program.exitCode === null && program.signalCode === null) await ended;
  clearTimeout(timer);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
