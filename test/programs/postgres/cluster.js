// The files of a database cluster and the process that serves it, on a Unix socket. As root it runs as another user, since PostgreSQL
// refuses root.

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPool } from "./driver.js";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

export const OWNER = { user: "postgres", database: "postgres" };
export const PORT = 5432;
const LOOK_EVERY_MS = 50;
/** The user without rights that every Unix has. */
const OTHER_USER = 65_534;

export function isRoot() {
  return process.getuid?.() === 0;
}

/** The options of a child process that PostgreSQL does not refuse. */
export function asOther() {
  return isRoot() ? { uid: OTHER_USER, gid: OTHER_USER } : {};
}

/** A new folder of the user that serves. */
export function makeFolder() {
  // The temporary folder of a test may be entered by its user alone.
  const folder = mkdtempSync(join(isRoot() ? "/tmp" : tmpdir(), "postrider-pg-"));
  chmodSync(folder, 0o755);
  if (isRoot()) chownSync(folder, OTHER_USER, OTHER_USER);
  return folder;
}

export function makeCluster(bin, data) {
  const options = ["-D", data, "-A", "trust", "-U", OWNER.user, "--no-locale", "-E", "UTF8"];
  execFileSync(join(bin, "initdb"), options, { ...asOther(), cwd: "/", stdio: "ignore" });
}

/** The database of a server whose socket is in the folder, as the store of a config. */
export function urlOf(folder, database) {
  return `postgres://${OWNER.user}@localhost/${database}?host=${encodeURIComponent(folder)}`;
}

/** Starts the server of a cluster, `through` another program if one is given; resolves once it answers. */
export async function run({ bin, folder, data, settings = [], through = [] }) {
  const all = ["listen_addresses=", "max_connections=60", ...settings].flatMap((setting) => ["-c", setting]);
  const options = ["-D", data, "-k", folder, "-p", String(PORT), ...all];
  const [program, ...words] = [...through, join(bin, "postgres"), ...options];
  const server = spawn(program, words, { ...asOther(), cwd: folder, stdio: "ignore" });
  const pool = createPool({ host: folder, port: PORT, ...OWNER, max: 1 });
  const before = Date.now() + CONDITION_WATCHDOG_MS;
  try {
    while (!(await answers(pool))) {
      if (Date.now() > before || server.exitCode !== null) throw new Error(`the server in ${folder} does not start`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    await pool.end();
  }
  return server;
}

function answers(pool) {
  return pool.query("select 1").then(
    () => true,
    () => false,
  );
}

export function end(server, signal) {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}

/** The processes that serve the connections of a server, and those that do its chores. */
export function childrenOf({ pid }) {
  return readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, "utf8")
    .split(" ")
    .filter((text) => text !== "")
    .map(Number);
}
