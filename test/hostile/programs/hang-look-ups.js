// Delivers to names for which the system's resolver never gets an answer, and prints what came of each, and whether a look-up of
// this process, as of a database, ended before all of them. Must run in a separate namespace of the network and of mounts.

import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp } from "@postrider/undici";

const [, , folder] = argv;
const SILENT = "127.0.0.8";
/** More than the processes have in turns. */
const TIMEOUT_MS = 60_000;

execFileSync("ip", ["link", "set", "lo", "up"]);
place("hosts", "/etc/hosts", "127.0.0.1 localhost database\n");
place("nsswitch", "/etc/nsswitch.conf", "hosts: files mdns4_minimal [NOTFOUND=return] dns\n");
place("resolv", "/etc/resolv.conf", `nameserver ${SILENT}\n`);
createSocket("udp4").bind(53, SILENT);

const http = createUndiciHttp({ clock: createSystemClock() });
const ended = [];
const sendings = Array.from({ length: 6 }, (_, index) => deliver(`http://hangs-${String(index)}.example/`));
const database = lookup("database").then(() => ended.push("database"));
await Promise.all([...sendings, database]);
console.log(JSON.stringify(ended));
process.exit();

async function deliver(url) {
  const reply = await http.send({ url, headers: [], body: new Uint8Array(), timeoutMs: TIMEOUT_MS });
  ended.push(reply.fault);
}

/** Puts a text in the place of a file of the system, in this namespace only. */
function place(name, path, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  execFileSync("mount", ["--bind", file, path]);
}
