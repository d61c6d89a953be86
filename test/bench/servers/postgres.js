// A PostgreSQL server for the bench, on the loopback, with its durable defaults. It does not run as root: if the bench
// does, it runs as the user that its package made.

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { portForRestarts } from "../../free-ports.js";
import { endProcess, outlived, until } from "../processes.js";

const USER = "postgres";
const PROGRAMS = ["initdb", "postgres", "psql"];
// Usual settings for a small machine; durability is as by default.
const SETTINGS = { shared_buffers: "256MB", max_wal_size: "4GB", max_connections: 100, listen_addresses: "127.0.0.1" };

/** `{ missing }` says why it cannot be started. */
export function findPostgres() {
  const bin = findBinaries();
  if (bin === undefined) return { missing: `there are no ${PROGRAMS.join(", ")}` };
  const identity = findIdentity();
  if (identity === undefined) return { missing: `it does not run as root, and there is no user ${USER}` };
  const version = execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).replace(/^\D+/, "").trim();
  return { version, start: () => start(bin, identity) };
}

async function start(bin, identity) {
  const folder = makeFolder(identity);
  const asUser = { ...identity, cwd: folder };
  execFileSync(join(bin, "initdb"), ["-D", join(folder, "data"), "-U", USER, "-A", "trust", "-E", "UTF8"], {
    ...asUser,
    stdio: "ignore",
  });
  const port = await portForRestarts();
  const words = Object.entries({ ...SETTINGS, port, unix_socket_directories: folder });
  const flags = words.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // SIGKILL would leave its children behind.
  const server = outlived(
    spawn(join(bin, "postgres"), ["-D", join(folder, "data"), ...flags], { ...asUser, stdio: "ignore" }),
    "SIGQUIT",
  );
  const psql = (query) => {
    const to = ["-h", "127.0.0.1", "-p", String(port), "-U", USER, "-d", "postgres", "-Atc", query];
    return execFileSync(join(bin, "psql"), to, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  };
  await until(() => succeeds(() => psql("select 1")), "PostgreSQL", 50);
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    pid: server.pid,
    durability: () => ["fsync", "synchronous_commit"].map((name) => `${name} ${psql(`show ${name}`)}`).join(", "),
    async stop() {
      await endProcess(server, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries() {
  const installed = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").toSorted().toReversed() : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...installed.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ];
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/** The user that it runs as: the current one unless that is root; undefined if there is none. */
function findIdentity() {
  if (process.getuid() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((text) => text.startsWith(`${USER}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Another user has to reach it, so it must not be inside a private folder. */
function makeFolder({ uid, gid }) {
  const folder = mkdtempSync(join(uid === undefined ? tmpdir() : "/tmp", "postrider-bench-postgres-"));
  if (uid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

function succeeds(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
