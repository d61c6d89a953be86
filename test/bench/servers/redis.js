// A Redis server for the bench, on the loopback, that syncs every write before it answers.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { portForRestarts } from "../../free-ports.js";
import { endProcess, outlived } from "../processes.js";

/** `{ missing }` says why it cannot be started. */
export function findRedis() {
  const version = versionOf("redis-server");
  return version === undefined ? { missing: "there is no redis-server" } : { version, start };
}

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-redis-"));
  const port = await portForRestarts();
  const settings = { port, bind: "127.0.0.1", dir: folder, appendonly: "yes", appendfsync: "always", save: "" };
  const words = Object.entries({ ...settings, "maxmemory-policy": "noeviction" });
  const flags = words.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = outlived(spawn("redis-server", flags, { stdio: ["ignore", "pipe", "inherit"] }));
  await lineOf(server, /Ready to accept connections/);
  return {
    port,
    pid: server.pid,
    durability: () => ["appendonly", "appendfsync"].map((name) => settingOf(port, name)).join(", "),
    async stop() {
      await endProcess(server, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function versionOf(program) {
  try {
    return /v=([\d.]+)/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[1];
  } catch {
    return undefined;
  }
}

/** As the server reports it. */
function settingOf(port, name) {
  const answer = execFileSync("redis-cli", ["-p", String(port), "config", "get", name], { encoding: "utf8" });
  return answer.trim().split("\n").join(" ");
}

function lineOf(child, pattern) {
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("redis-server has ended")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (pattern.test(line)) resolve(line);
    });
  });
}
