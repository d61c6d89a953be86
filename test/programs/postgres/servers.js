// PostgreSQL servers: Debian's and npm's, whichever are there, each in a new folder, on a Unix socket. What is not there is said aloud.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { asOther, end, isRoot, makeCluster, makeFolder, OWNER, PORT, run, urlOf } from "./cluster.js";
import { binariesOfNpm, createPool } from "./driver.js";

const DEBIAN = "/usr/lib/postgresql";
const OLDEST = 14;

/**
 * The servers of this machine. Prints which are missing, and why. POSTRIDER_POSTGRES names others instead: the folders with their
 * programs, with a colon between two.
 */
export function installedServers() {
  const named = process.env.POSTRIDER_POSTGRES?.split(":") ?? [];
  if (named.length > 0) return named.map((bin) => ({ name: `PostgreSQL ${versionOf(bin)}`, bin }));
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

/** Makes a database cluster and starts it, with settings that are as in production unless others are given. */
export async function startServer({ bin }, settings = []) {
  const folder = makeFolder();
  const data = join(folder, "data");
  makeCluster(bin, data);
  const pools = [];
  let server = await run({ bin, folder, data, settings });

  return {
    host: folder,
    port: PORT,
    pid: () => server.pid,
    url: (database = OWNER.database) => urlOf(folder, database),
    pool: (max = 10, as = OWNER) => {
      const pool = createPool({ host: folder, port: PORT, ...as, max });
      pools.push(pool);
      return pool;
    },
    crash: async () => {
      await end(server, "SIGQUIT");
      server = await run({ bin, folder, data, settings });
    },
    stop: async () => {
      for (const pool of pools) await pool.end();
      await end(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
