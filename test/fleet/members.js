// The servers of the fleet: real programs that are started, killed and asked for their numbers.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const WRITE_KEY = "wk-of-the-fleet";
const TOKEN = "token-of-the-fleet";
const PROGRAM = fileURLToPath(new URL("../../packages/postrider/bin/postrider.js", import.meta.url));

/** Writes the config that all servers have. */
export function writeConfig(folder, { store, receiver }) {
  const config = join(folder, "postrider.json");
  const json = {
    listen: { host: "127.0.0.1", port: 0 },
    store,
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: [
      { id: "receiver", sources: ["website"], sharedSecret: "a secret of the fleet", endpoints: [{ url: receiver }] },
    ],
    delivery: { leaseMs: 10_000, timeoutMs: 2_000 },
    network: { allow: ["127.0.0.0/8"] },
  };
  writeFileSync(config, JSON.stringify(json));
  return config;
}

/** `words`: further words of the command line of each server; none if absent. */
export function createMembers(config, count, words = []) {
  const members = Array.from({ length: count }, () => undefined);

  async function start(place) {
    members[place] = await serve(config, words[place] ?? []);
  }

  return {
    start,
    startAll: () => Promise.all(members.map((_, place) => start(place))),
    kill: (place) => members[place].end("SIGKILL"),
    /** The last address of each: who is gone does not answer there. */
    urls: () => members.map(({ url }) => url),
    isUp: () => members.map(({ isUp }) => isUp()),
    pids: () => members.map(({ pid }) => pid),
    /** The numbers of the store, as the first server that answers tells them. */
    stats: () => Promise.any(members.map(({ url }) => stats(url))),
    stop: () => Promise.all(members.map((member) => member?.end("SIGTERM"))),
  };
}

async function serve(config, words) {
  const command = [PROGRAM, "serve", "--config", config, ...words];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise((resolve) => child.once("exit", resolve));
  let log = "";
  child.stderr.on("data", (text) => (log = `${log}${text}`.slice(-4_000)));
  const listening = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("listening on ")) resolve(line.slice("listening on ".length));
    });
  });
  const url = await Promise.race([listening, exit.then(() => undefined)]);
  if (url === undefined) throw new Error(`a server does not start:\n${log}`);
  const isUp = () => child.exitCode === null && child.signalCode === null;
  const end = (signal) => {
    if (isUp()) child.kill(signal);
    return exit;
  };
  return { url, pid: child.pid, isUp, end };
}

async function stats(url) {
  const response = await fetch(`${url}/api/stats`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!response.ok) throw new Error(`stats: ${String(response.status)}`);
  return response.json();
}
