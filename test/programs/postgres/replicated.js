// A primary with a synchronous standby, at one address: what connects goes to whichever is the primary. Either may be killed at any
// time, as a machine may lose power; a promotion makes the standby the primary, and a new standby from it.

import { execFile } from "node:child_process";
import { appendFileSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { asOther, childrenOf, end, makeCluster, makeFolder, OWNER, PORT, run, urlOf } from "./cluster.js";
import { createPool } from "./driver.js";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

const LOOK_EVERY_MS = 50;
const MAX_STARTS = 100;
const NAMES = "synchronous_standby_names";
/** A standby looks for its primary this often. */
const SETTINGS = ["wal_retrieve_retry_interval=100"];

/** Whether this PostgreSQL has the program that copies a cluster. */
export function mayReplicate({ bin }) {
  return existsSync(join(bin, "pg_basebackup"));
}

export async function startReplicated({ bin }) {
  const site = makeFolder();
  /** A link to the folder with the socket of the primary. */
  const address = join(site, "primary");
  const folders = [site];
  let primary = await startFirst();
  let standby = await startStandby();

  async function startFirst() {
    const member = newMember();
    makeCluster(bin, member.data);
    member.server = await run(member);
    lead(member);
    return member;
  }

  function newMember() {
    const folder = makeFolder();
    folders.push(folder);
    return { bin, folder, data: join(folder, "data"), settings: SETTINGS };
  }

  /** Makes this member the one that answers at the address. */
  function lead({ folder }) {
    symlinkSync(folder, `${address}.next`);
    renameSync(`${address}.next`, address);
  }

  /** Copies the primary, and resolves once each commit waits for the copy. */
  async function startStandby() {
    const member = newMember();
    const from = ["-h", primary.folder, "-p", String(PORT), "-U", OWNER.user, "--checkpoint=fast", "-R"];
    await promisify(execFile)(join(bin, "pg_basebackup"), [...from, "-D", member.data], {
      ...asOther(),
      cwd: member.folder,
    });
    member.server = await run(member);
    await tell(primary, `alter system set ${NAMES} = '*'`, "select pg_reload_conf()");
    await until(primary, "select 1 from pg_stat_replication where sync_state = 'sync'");
    return member;
  }

  return {
    url: (database = OWNER.database) => urlOf(address, database),
    pool: (max = 10) => createPool({ host: address, port: PORT, ...OWNER, max }),
    /** Kills one process that serves a connection, after which the server restarts the others. */
    killOneConnection: async () => {
      while (!(await killAny(primary))) await pause();
      await until(primary, "select 1");
    },
    /** Kills all processes of the primary, and starts it again. */
    killPrimary: async () => {
      await killAll(primary.server);
      primary.server = await runAgain(primary);
    },
    /** Kills the primary for good, and goes on with the standby. */
    promote: async () => {
      await killAll(primary.server);
      const gone = primary;
      primary = standby;
      await tell(primary, "select pg_promote()");
      await until(primary, "select 1 where not pg_is_in_recovery()");
      lead(primary);
      rmSync(gone.folder, { recursive: true, force: true });
      standby = await startStandby();
    },
    /** Makes the standby the primary, and the old primary its standby, to which the address leads until `moves` has resolved. */
    switchOver: async (moves) => {
      const demoted = primary;
      await end(demoted.server, "SIGINT");
      primary = standby;
      standby = demoted;
      await tell(primary, "select pg_promote()");
      await until(primary, "select 1 where not pg_is_in_recovery()");
      follow(demoted, primary);
      demoted.server = await runAgain(demoted);
      await tell(primary, `alter system set ${NAMES} = '*'`, "select pg_reload_conf()");
      await until(primary, "select 1 from pg_stat_replication where sync_state = 'sync'");
      await moves();
      lead(primary);
    },
    stop: async () => {
      // A primary whose standby is gone would wait for it.
      await end(primary.server, "SIGQUIT");
      await end(standby.server, "SIGQUIT");
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Has a member that has ended in order copy another one from its next start on. */
function follow({ data }, { folder }) {
  appendFileSync(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${folder} port=${String(PORT)} user=${OWNER.user}'\n`,
  );
  writeFileSync(join(data, "standby.signal"), "");
}

/** Starts a server again that was killed. Its memory is in use as long as a process of it has not ended. */
async function runAgain(member) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(member);
    } catch (error) {
      if (tries === MAX_STARTS) throw error;
      await pause();
    }
  }
}

/** The process that starts the others is stopped first, so that it starts none meanwhile. */
async function killAll(server) {
  const ended = end(server, "SIGSTOP");
  const children = childrenOf(server);
  for (const pid of [server.pid, ...children]) kill(pid);
  await ended;
}

/** Whether a process that serves a connection was there to be killed. */
async function killAny(member) {
  const serving = "backend_type = 'client backend' and pid <> pg_backend_pid()";
  const [row] = await tell(member, `select pid from pg_stat_activity where ${serving} order by random() limit 1`);
  return row !== undefined && kill(row.pid);
}

/** Whether there was such a process. */
function kill(pid) {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
    return false;
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/** Runs statements on a member; answers the rows of the last one. */
async function tell({ folder }, ...statements) {
  const pool = createPool({ host: folder, port: PORT, ...OWNER, max: 1 });
  try {
    let rows = [];
    for (const statement of statements) ({ rows } = await pool.query(statement));
    return rows;
  } finally {
    await pool.end();
  }
}

/** Resolves once the query finds something on a member. */
async function until(member, query) {
  const before = Date.now() + CONDITION_WATCHDOG_MS;
  for (;;) {
    const rows = await tell(member, query).catch(() => []);
    if (rows.length > 0) return;
    if (Date.now() > before) throw new Error(`within ${String(CONDITION_WATCHDOG_MS)} ms nothing is found by ${query}`);
    await pause();
  }
}
