// PostgreSQL servers: Debian's and npm's, whichever are there, each in a new folder, on a Unix socket. As root they run as another
// user, since PostgreSQL refuses root. What is not there is said aloud.

import { execFileSync, spawn } from "node:child_process";
import { accessSync, chmodSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binariesOfNpm, createPool } from "./driver.js";

const OWNER = { user: "postgres", database: "postgres" };
const DEBIAN = "/usr/lib/postgresql";
const OLDEST = 14;
const PORT = 5432;
const STARTED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** The user without rights that every Unix has. */
const OTHER_USER = 65_534;

/** The servers of this machine. Prints which are missing, and why. */
export function installedServers() {
  const found = [];
  const npm = binariesOfNpm();
  if (npm === undefined) tell("npm has no binaries for this machine");
  else if (!mayBeReached(npm)) tell(`${npm} is under a folder that only its owner may enter`);
  else found.push({ name: `PostgreSQL ${versionOf(npm)} of npm`, bin: npm });
  const debian = newestOfDebian();
  if (debian === undefined) tell("Debian's postgresql is not installed");
  else found.push({ name: `PostgreSQL ${versionOf(debian)} of Debian`, bin: debian });
  return found;
}

function tell(why) {
  console.warn(`SKIPPED: a PostgreSQL server of ${why.startsWith("Debian") ? "Debian" : "npm"}: ${why}`);
}

function newestOfDebian() {
  const majors = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = Math.max(
    ...majors.filter((major) => major >= OLDEST && existsSync(`${DEBIAN}/${String(major)}/bin/initdb`)),
  );
  return Number.isFinite(newest) ? `${DEBIAN}/${String(newest)}/bin` : undefined;
}

function versionOf(bin) {
  const told = execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return /\d+(\.\d+)?/.exec(told)?.[0] ?? told.trim();
}

/** Whether every user may enter the folder. */
function mayBeReached(path) {
  if (!isRoot()) return true;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    try {
      execFileSync("test", ["-x", folder], asOther());
    } catch {
      return false;
    }
  }
  accessSync(path, constants.R_OK);
  return true;
}

function isRoot() {
  return process.getuid?.() === 0;
}

function asOther() {
  return isRoot() ? { uid: OTHER_USER, gid: OTHER_USER } : {};
}

/** Makes a database cluster and starts it. fsync is on, as in production. */
export async function startServer({ bin }) {
  // The temporary folder of a test may be entered by its user alone.
  const folder = mkdtempSync(join(isRoot() ? "/tmp" : tmpdir(), "postrider-pg-"));
  chmodSync(folder, 0o755);
  if (isRoot()) chownSync(folder, OTHER_USER, OTHER_USER);
  const data = join(folder, "data");
  const cluster = ["-D", data, "-A", "trust", "-U", "postgres", "--no-locale", "-E", "UTF8"];
  execFileSync(join(bin, "initdb"), cluster, { ...asOther(), cwd: folder, stdio: "ignore" });
  const pools = [];
  let server = await run(bin, folder, data);

  return {
    host: folder,
    port: PORT,
    url: (database = OWNER.database) =>
      `postgres://${OWNER.user}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    pool: (max = 10, as = OWNER) => {
      const pool = createPool({ host: folder, port: PORT, ...as, max });
      pools.push(pool);
      return pool;
    },
    crash: async () => {
      await end(server, "SIGQUIT");
      server = await run(bin, folder, data);
    },
    stop: async () => {
      for (const pool of pools) await pool.end();
      await end(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(bin, folder, data) {
  const options = ["-D", data, "-k", folder, "-p", String(PORT), "-c", "listen_addresses=", "-c", "max_connections=60"];
  const server = spawn(join(bin, "postgres"), options, { ...asOther(), cwd: folder, stdio: "ignore" });
  const pool = createPool({ host: folder, port: PORT, ...OWNER, max: 1 });
  const before = Date.now() + STARTED_WITHIN_MS;
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

function end(server, signal) {
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}
