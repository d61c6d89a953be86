// The database of the fleet: that of the user, or a new cluster of a PostgreSQL that is on this machine or comes from npm.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../programs/postgres", import.meta.url));

/** Its URL, its name, and how it ends. Throws an `Error` in words if there is none. */
export async function openDatabase(url) {
  if (url !== undefined) return { url, name: "your database", stop: () => undefined };
  install();
  const { installedServers, startServer } = await import("../programs/postgres/servers.js");
  const [installed] = installedServers();
  if (installed === undefined) {
    throw new Error("there is no PostgreSQL: name an empty database with --database, or install Debian's postgresql");
  }
  const server = await startServer(installed);
  return { url: server.url(), name: installed.name, stop: server.stop };
}

function install() {
  if (existsSync(`${PROGRAM}/node_modules/pg`)) return;
  console.log("installing PostgreSQL from npm into test/programs/postgres, once (60 MB)");
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: PROGRAM, stdio: "pipe" });
}
