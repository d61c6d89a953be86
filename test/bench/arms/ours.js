// Ours as an arm: the real `postrider serve` on a SQLite file, as it comes.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";
import { spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endProcess, outlived } from "../processes.js";
import { API_TOKEN, configFor } from "../scene.js";
import { PROFILES } from "../settings.js";

const PROGRAM = fileURLToPath(new URL("../../../packages/postrider/bin/postrider.js", import.meta.url));

export function createOurs(name = "ours") {
  return { name, start: (receiverUrl) => startOurs(configFor(receiverUrl)) };
}

/** Starts a server with this config, on a copy of the file `store` if there is one. */
export async function startOurs(config, { store } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const file = join(folder, "postrider.db");
  if (store !== undefined) copyFileSync(store, file);
  writeFileSync(join(folder, "postrider.json"), JSON.stringify(config));
  const flags = PROFILES === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", PROFILES];
  const log = openSync(join(folder, "log"), "w");
  const words = [...flags, PROGRAM, "serve", "--config", join(folder, "postrider.json")];
  const server = outlived(spawn(process.execPath, words, { stdio: ["ignore", "pipe", log] }));
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
    /** Kills it, and reads what its file holds. */
    async inStore() {
      await endProcess(server, "SIGKILL");
      const store = createSqliteStore({ database: new DatabaseSync(file) });
      const counts = await store.counts();
      await store.close();
      const sum = (name) => counts.reduce((total, row) => total + row[name], 0);
      return { settled: sum("delivered"), left: sum("waiting") + sum("claimed") + sum("dead") };
    },
    /** What a store asks of the file on its connection, which nobody else can see. */
    async durability() {
      const database = new DatabaseSync(join(folder, "asked.db"));
      const store = createSqliteStore({ database });
      const asked = ["journal_mode", "synchronous"].map((name) => database.prepare(`pragma ${name}`).get()[name]);
      await store.close();
      return `journal_mode ${asked[0]}, synchronous ${asked[1]}`;
    },
    async stop() {
      await endProcess(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function statsOf(url) {
  const response = await fetch(`${url}/api/stats`, { headers: { Authorization: `Bearer ${API_TOKEN}` } });
  return response.json();
}
