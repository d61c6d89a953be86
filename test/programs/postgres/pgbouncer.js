// PgBouncer in transaction mode before a server: each statement may go to another session.

import { spawn } from "node:child_process";
import { chownSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asOther, end, isRoot, makeFolder, OWNER } from "./cluster.js";
import { createPool } from "./driver.js";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

const PROGRAM = "/usr/sbin/pgbouncer";
const PORT = 6432;
const LOOK_EVERY_MS = 50;

/** Whether it is installed. Says so where it is not. */
export function mayPool() {
  const isThere = existsSync(PROGRAM);
  if (!isThere) console.warn("SKIPPED: PgBouncer: Debian's pgbouncer is not installed");
  return isThere;
}

/** Starts it before the server whose socket is in this folder. */
export async function startPgBouncer({ host, port }) {
  const folder = makeFolder();
  const files = { "users.txt": `"${OWNER.user}" ""\n`, "pgbouncer.ini": settings({ folder, host, port }) };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    if (isRoot()) chownSync(join(folder, name), asOther().uid, asOther().gid);
  }
  const program = spawn(PROGRAM, [join(folder, "pgbouncer.ini")], { ...asOther(), cwd: folder, stdio: "ignore" });
  const pools = [];
  const pool = (max = 10) => {
    const made = createPool({ host: folder, port: PORT, ...OWNER, max });
    pools.push(made);
    return made;
  };
  await untilItAnswers(pool(1));
  return {
    pool,
    stop: async () => {
      for (const made of pools) await made.end();
      await end(program, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settings({ folder, host, port }) {
  return `[databases]
* = host=${host} port=${port}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${PORT}
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
`;
}

async function untilItAnswers(pool) {
  const before = Date.now() + CONDITION_WATCHDOG_MS;
  for (;;) {
    const answers = await pool.query("select 1").then(
      () => true,
      () => false,
    );
    if (answers) return;
    if (Date.now() > before) throw new Error("PgBouncer does not answer");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
