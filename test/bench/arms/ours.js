// Postrider as an arm: the real `postrider serve` on a SQLite file, with default settings.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { probedEnv } from "../cpu/probed.js";
import { endProcess, outlived } from "../processes.js";
import { API_TOKEN, configFor } from "../scene.js";
import { PROFILES, SENDER_THREAD } from "../settings.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PROGRAM = "packages/postrider/bin/postrider.js";

/** `checkout` is a folder with this repository, built; this one if it is absent. */
export function createOurs(name = "ours", checkout = ROOT) {
  const server = SENDER_THREAD && name !== "base" ? { senderThread: true } : {};
  return {
    name,
    start: (receiver) => startOurs({ ...configFor(receiver.url, { ca: receiver.ca }), ...server }, { checkout }),
  };
}

/** Starts a server with this config, on the file `store` if there is one: on a copy, unless it `isShared`. */
export async function startOurs(config, { store, isShared = false, checkout = ROOT } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const file = isShared ? store : join(folder, "postrider.db");
  if (store !== undefined && !isShared) copyFileSync(store, file);
  writeFileSync(join(folder, "postrider.json"), JSON.stringify({ ...config, store: `sqlite:${file}` }));
  const flags = PROFILES === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", PROFILES];
  const log = openSync(join(folder, "log"), "w");
  const words = [...flags, join(checkout, PROGRAM), "serve", "--config", join(folder, "postrider.json")];
  const stdio = ["ignore", "pipe", log, "ipc"];
  const server = outlived(spawn(process.execPath, words, { stdio, env: probedEnv() }));
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", resolve);
    server.once("exit", () => reject(new Error(`postrider serve has ended: ${readFileSync(join(folder, "log"))}`)));
  });
  closeSync(log);
  const url = line.replace("listening on ", "");
  return {
    url,
    child: server,
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
    async stop() {
      // It ends once nothing is left to be done, and the probe listens as long as there is a channel.
      if (server.connected) server.disconnect();
      await endProcess(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function statsOf(url) {
  const response = await fetch(`${url}/api/stats`, { headers: { Authorization: `Bearer ${API_TOKEN}` } });
  return response.json();
}
