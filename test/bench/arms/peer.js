// A peer as an arm: its process, and the database server that it needs, both new for each run, so that work which a
// server does after a run does not slow the next.

import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { probedEnv } from "../cpu/probed.js";
import { askOf, endProcess, messageOf, outlived } from "../processes.js";

const PROGRAM = fileURLToPath(new URL("../peers/peer-process.js", import.meta.url));

/** `database` starts the server that it needs, if any. */
export function createPeer(peer, database) {
  return { name: peer, start: ({ url }) => start(peer, database, url) };
}

async function start(peer, database, receiverUrl) {
  const folder = mkdtempSync(join(tmpdir(), `postrider-bench-${peer}-`));
  const server = await database?.start();
  const place = { folder, port: server?.port, url: server?.url };
  const child = outlived(fork(PROGRAM, [JSON.stringify({ peer, place, receiverUrl })], { env: probedEnv() }));
  const { url } = await messageOf(child, "listening");
  const ask = async (what) => (await askOf(child, { ask: what }, what)).value;
  return {
    url,
    child,
    serverPids: server === undefined ? [] : [server.pid],
    settled: () => ask("settled"),
    inStore: () => ask("inStore"),
    durability: () => (server === undefined ? ask("durability") : server.durability()),
    async stop() {
      await ask("close").catch(() => undefined);
      await endProcess(child, "SIGKILL");
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
