// Postrider as an arm: the real `postrider serve` on a SQLite file, with default settings.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endProcess, outlived } from "../processes.js";
import { API_TOKEN, configFor } from "../scene.js";
import { PROFILES } from "../settings.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROGRAM = "packages/postrider/bin/postrider.js";
const LOOP_DELAY = new URL("../loop-delay.js", import.meta.url).href;

/** `checkout` is a folder with this repository, built; this one if it is absent. */
export function createOurs(name = "ours", checkout = ROOT) {
  return { name, start: (receiverUrl) => startOurs(configFor(receiverUrl), { checkout }) };
}

/** Starts a server with this config, on the file `store` if there is one: on a copy, unless it `isShared`. */
export async function startOurs(config, { store, isShared = false, checkout = ROOT } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const file = isShared ? store : join(folder, "postrider.db");
  if (store !== undefined && !isShared) copyFileSync(store, file);
  writeFileSync(join(folder, "postrider.json"), JSON.stringify({ ...config, store: `sqlite:${file}` }));
  const flags = PROFILES === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", PROFILES];
  const log = openSync(join(folder, "log"), "w");
  const words = [
    ...flags,
    "--import",
    LOOP_DELAY,
    join(checkout, PROGRAM),
    "serve",
    "--config",
    join(folder, "postrider.json"),
  ];
  const env = { ...process.env, LOOP_DELAYS: join(folder, "loop-delays") };
  const server = outlived(spawn(process.execPath, words, { stdio: ["ignore", "pipe", log], env }));
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", resolve);
    server.once("exit", () => reject(new Error(`postrider serve has ended: ${readFileSync(join(folder, "log"))}`)));
  });
  closeSync(log);
  const url = line.replace("listening on ", "");
  return {
    url,
    pid: server.pid,
    serverPids: [],
    stats: () => statsOf(url),
    settled: async () => (await statsOf(url)).delivered,
    /** Kills it, and reads its file. */
    async inStore() {
      await endProcess(server, "SIGKILL");
      const store = createSqliteStore({ database: new DatabaseSync(file) });
      const counts = await store.counts();
      await store.close();
      const sum = (name) => counts.reduce((total, row) => total + row[name], 0);
      return { settled: sum("delivered"), left: sum("waiting") + sum("claimed") + sum("dead") };
    },
    /** The durability settings of the store's connection, which are visible only on that connection. */
    async durability() {
      const database = new DatabaseSync(join(folder, "asked.db"));
      const store = createSqliteStore({ database });
      const asked = ["journal_mode", "synchronous"].map((name) => database.prepare(`pragma ${name}`).get()[name]);
      await store.close();
      return `journal_mode ${asked[0]}, synchronous ${asked[1]}`;
    },
    /**
     * Returns how late its event loop was, in milliseconds: `{ loopDelayMs: { p99, max } }`; nothing if it was killed.
     */
    async stop() {
      await endProcess(server);
      const delays = readIfThere(join(folder, "loop-delays"));
      rmSync(folder, { recursive: true, force: true });
      return delays === undefined ? {} : { loopDelayMs: JSON.parse(delays) };
    },
  };
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

async function statsOf(url) {
  const response = await fetch(`${url}/api/stats`, { headers: { Authorization: `Bearer ${API_TOKEN}` } });
  return response.json();
}
